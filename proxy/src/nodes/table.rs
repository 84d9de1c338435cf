//! A table that contains the node of each slot.

use std::sync::Arc;

use leaderboard_core::parts::SLOTS;
use redis::ConnectionAddr;

use super::node::Node;

/// The number in `owners` of a slot that no node has.
const NOBODY: u16 = u16::MAX;

/// The known nodes, and the node of each slot as a number.
pub struct Table {
    nodes: Vec<Arc<Node>>,
    owners: Vec<u16>,
}

impl Table {
    /// Returns a table in which no node has a slot.
    pub fn empty() -> Self {
        Self { nodes: Vec::new(), owners: vec![NOBODY; usize::from(SLOTS)] }
    }

    /// Returns a table in which one node has all slots.
    pub fn of_one(node: Arc<Node>) -> Self {
        Self { nodes: vec![node], owners: vec![0; usize::from(SLOTS)] }
    }

    pub fn nodes(&self) -> &[Arc<Node>] {
        &self.nodes
    }

    /// Returns the nodes that have slots.
    pub fn owners(&self) -> impl Iterator<Item = &Arc<Node>> {
        let has_slots = |number: usize| self.owners.iter().any(|owner| usize::from(*owner) == number);
        self.nodes.iter().enumerate().filter(move |(number, _)| has_slots(*number)).map(|(_, node)| node)
    }

    pub fn node(&self, number: usize) -> Option<&Arc<Node>> {
        self.nodes.get(number)
    }

    /// Returns the number of the node for a slot. If no slot is given, it is the first node with an open connection, or
    /// else the first node.
    pub fn way(&self, slot: Option<u16>) -> Option<usize> {
        match slot {
            Some(slot) => {
                let owner = self.owners.get(usize::from(slot)).filter(|owner| **owner != NOBODY);
                owner.map(|owner| usize::from(*owner))
            }
            None => {
                let open = self.nodes.iter().position(|node| node.is_open());
                open.or_else(|| (!self.nodes.is_empty()).then_some(0))
            }
        }
    }

    pub fn find(&self, address: &ConnectionAddr) -> Option<&Arc<Node>> {
        self.nodes.iter().find(|node| node.info().addr() == address)
    }

    /// Assigns the slots from `first` to `last` to a node.
    pub fn give(&mut self, first: u16, last: u16, node: &Arc<Node>) {
        let number = self.add(node);
        for owner in self.owners.iter_mut().take(usize::from(last).saturating_add(1)).skip(usize::from(first))
        {
            *owner = number;
        }
    }

    /// Assigns all slots of failed nodes, and all slots that have no node, to this node.
    pub fn take_over(&mut self, node: &Arc<Node>) {
        let number = self.add(node);
        let works: Vec<bool> = self.nodes.iter().map(|node| !node.has_failed()).collect();
        for owner in &mut self.owners {
            if !works.get(usize::from(*owner)).copied().unwrap_or_default() {
                *owner = number;
            }
        }
    }

    /// Adds a node if it is not known yet. Returns its number.
    pub fn add(&mut self, node: &Arc<Node>) -> u16 {
        let known = self.nodes.iter().position(|known| Arc::ptr_eq(known, node));
        let number = known.unwrap_or_else(|| {
            self.nodes.push(Arc::clone(node));
            self.nodes.len().saturating_sub(1)
        });
        u16::try_from(number).unwrap_or(NOBODY)
    }
}
