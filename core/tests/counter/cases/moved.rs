//! Counters whose memory is moved, measured and freed.

use super::saves::{all, broad_one, long_one};
use super::*;

fn is_the_same(name: &str, counter: &Counter, moved: &Counter) {
    assert!(saved(moved) == saved(counter), "{name}");
    for precision in &counter.rules().precisions {
        for now in [0, 5_999, DAY] {
            assert_eq!(look(moved, now, *precision), look(counter, now, *precision), "{name}");
        }
    }
}

#[test]
fn what_is_moved_is_the_same() {
    for (name, counter) in all().into_iter().chain([("a broad one", broad_one()), ("a long one", long_one())])
    {
        for steps in [1, 2, 3, usize::MAX] {
            let mut moved = counter.clone();
            let before = moved.memory();
            let mut mover = Restless::new(steps);
            mover.walk_all(&mut moved);
            assert_eq!(moved.memory(), before, "{name}");
            is_the_same(name, &counter, &moved);
            let mut counter = counter.clone();
            for event in [of(9_000, 8_000), of(DAY, DAY)] {
                assert_eq!(
                    moved.increase(&event, 3).unwrap(),
                    counter.increase(&event, 3).unwrap(),
                    "{name}"
                );
            }
            is_the_same(name, &counter, &moved);
        }
    }
}

#[test]
fn all_that_takes_much_memory_is_moved() {
    let mut counter = broad_one();
    let mut mover = Restless::new(usize::MAX);
    mover.walk_all(&mut counter);
    assert!(mover.moved >= counter.rules().precisions.len(), "{} were moved", mover.moved);
}

#[test]
fn a_walk_that_goes_on_after_changes() {
    let mut counter = broad_one();
    let mut plain = counter.clone();
    let mut mover = Restless::new(2);
    let mut next = Some(0);
    for step in 0.. {
        let Some(from) = next else { break };
        next = mover.walk(&mut counter, from);
        for counter in [&mut counter, &mut plain] {
            match step % 4 {
                0 => _ = counter.increase(&at(DAY + step * 1_000), 1).unwrap(),
                1 => alter(counter, DAY + step * 1_000, &samples(400 - step as u32)),
                2 => {
                    let precision = 100 + step as u32;
                    let lowest = counter.rules().precisions[0];
                    let edits = [(precision, Edit::Add), (lowest, Edit::Drop)];
                    alter(counter, DAY + step * 1_000, &precisions(&edits));
                }
                _ => {}
            }
        }
        assert!(saved(&counter) == saved(&plain));
        assert!(step < 300, "a walk without end");
    }
}

#[test]
fn a_walk_may_begin_beyond_its_end() {
    for (name, counter) in all() {
        let mut moved = counter.clone();
        assert_eq!(Restless::new(1).walk(&mut moved, 1_000_000), None, "{name}");
        is_the_same(name, &counter, &moved);
    }
}

#[test]
fn there_is_nothing_to_do_between_commands() {
    for (name, mut counter) in all() {
        let bytes = saved(&counter);
        for now in [0, DAY, 40 * YEAR] {
            for _ in 0..3 {
                if counter.has_work() {
                    counter.work(MONDAY + now);
                }
            }
            counter.advance(MONDAY + now);
        }
        assert!(saved(&counter) == bytes, "{name}");
    }
}

#[test]
fn more_slices_take_more_memory_and_fewer_give_it_back() {
    let mut counter = new(&[1], MAX_SAMPLES);
    let empty = counter.memory();
    for number in 0..10_000 {
        put(&mut counter, &of(DAY, DAY - number * 1_000), 1 << 40);
    }
    let dense = counter.memory();
    assert!(dense > empty, "{dense} bytes, empty {empty}");
    assert!(dense <= size_of::<Counter>() + 200 + 10_000 * 10, "{dense} bytes");
    alter(&mut counter, DAY, &samples(10));
    let few = counter.memory();
    assert!(few <= size_of::<Counter>() + 400, "{few} bytes for 10 samples");
}
