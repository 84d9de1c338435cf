//! The shape of replies, as data: rows of the table contain shapes, tests compare replies with them, and clients are
//! generated from them.
//!
//! ```text
//! ok                     the text OK
//! int  flag  ms  rank    whole numbers: any; 0 or 1; a moment or a time in milliseconds; from 1
//! big                    a whole number of up to 64 bits, which is more than JavaScript's numbers keep
//! text  decimal  rows    strings: any; a decimal number; rows in one string
//! score                  a whole number where scores are whole numbers, else a string
//! x?                     x or nil
//! [a:x, b:y]             an array of these
//! [a:x, (b:y, c:z)...]   an array of a, and of b and c as often as there are some
//! {a:x, b:y}             a map with these names
//! {x...}                 a map of names to x
//! x | y                  one of these
//! ```

/// A single value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    /// The simple string `OK`.
    Ok,
    /// A whole number below 2^53.
    Int,
    /// Any whole number of 64 bits.
    Big,
    /// 0 or 1.
    Flag,
    /// A moment, or a time, in milliseconds.
    Ms,
    /// A rank or a number of places, from 1.
    Rank,
    /// Any string.
    Text,
    /// A decimal number, as a string.
    Decimal,
    /// Rows in one string.
    Rows,
    /// A score: a whole number, or a string.
    Score,
}

impl Scalar {
    /// All scalars with their words.
    pub const ALL: [(&'static str, Self); 10] = [
        ("ok", Self::Ok),
        ("int", Self::Int),
        ("big", Self::Big),
        ("flag", Self::Flag),
        ("ms", Self::Ms),
        ("rank", Self::Rank),
        ("text", Self::Text),
        ("decimal", Self::Decimal),
        ("rows", Self::Rows),
        ("score", Self::Score),
    ];
}

/// A named element of an array or a map. In `[x...]` the name is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name.
    pub name: String,
    /// The shape of the value.
    pub shape: Shape,
}

/// The shape of a reply, or of a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// A single value.
    Scalar(Scalar),
    /// A value of this shape, or nil.
    OrNil(Box<Shape>),
    /// An array: first these elements, then the elements of the second list, repeated any number of times.
    Array(Vec<Field>, Vec<Field>),
    /// A map with these names, in this order.
    Map(Vec<Field>),
    /// A map of names to values of one shape.
    MapOf(Box<Shape>),
    /// One of these shapes.
    OneOf(Vec<Shape>),
}

impl Shape {
    /// Reads a shape.
    ///
    /// # Errors
    /// The expected text, and the rest of the text from the error on.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader(text);
        let shape = reader.alternatives()?;
        if reader.rest().is_empty() { Ok(shape) } else { Err(reader.expected("the end")) }
    }
}

/// Reads a shape from the beginning of the text.
struct Reader<'a>(&'a str);

impl<'a> Reader<'a> {
    fn rest(&mut self) -> &'a str {
        self.0 = self.0.trim_start();
        self.0
    }

    fn expected(&mut self, what: &str) -> String {
        format!("expected {what} at `{}`", self.rest())
    }

    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.rest();
        self.0 = rest.strip_prefix(sign).unwrap_or(rest);
        self.0.len() < rest.len()
    }

    fn must_take(&mut self, sign: &str) -> Result<(), String> {
        if self.takes(sign) { Ok(()) } else { Err(self.expected(sign)) }
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        self.0 = after;
        word
    }

    fn alternatives(&mut self) -> Result<Shape, String> {
        let mut all = vec![self.one()?];
        while self.takes("|") {
            all.push(self.one()?);
        }
        Ok(if all.len() > 1 { Shape::OneOf(all) } else { all.remove(0) })
    }

    fn one(&mut self) -> Result<Shape, String> {
        let shape = if self.takes("[") {
            let (head, rest) = self.elements("]")?;
            Shape::Array(head, rest)
        } else if self.takes("{") {
            let (head, mut rest) = self.elements("}")?;
            if rest.is_empty() { Shape::Map(head) } else { Shape::MapOf(Box::new(rest.remove(0).shape)) }
        } else {
            let word = self.word();
            let scalar = Scalar::ALL.iter().find(|(name, _)| *name == word);
            Shape::Scalar(scalar.ok_or_else(|| format!("`{word}` is no scalar"))?.1)
        };
        Ok(if self.takes("?") { Shape::OrNil(Box::new(shape)) } else { shape })
    }

    /// Reads the elements of an array or a map, and the elements that repeat, up to its end.
    fn elements(&mut self, end: &str) -> Result<(Vec<Field>, Vec<Field>), String> {
        let mut head = Vec::new();
        while !self.takes(end) {
            if !head.is_empty() {
                self.must_take(",")?;
            }
            let group = if self.takes("(") { self.elements(")")?.0 } else { vec![self.field()?] };
            if self.takes("...") {
                self.must_take(end)?;
                return Ok((head, group));
            }
            head.extend(group);
        }
        Ok((head, Vec::new()))
    }

    /// Reads `name:shape`, or a shape without a name.
    fn field(&mut self) -> Result<Field, String> {
        let before = self.rest();
        let name = self.word();
        if name.is_empty() || !self.takes(":") {
            self.0 = before;
            return Ok(Field { name: String::new(), shape: self.one()? });
        }
        Ok(Field { name: name.to_owned(), shape: self.one()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_read() {
        let int = |name: &str| Field { name: name.to_owned(), shape: Shape::Scalar(Scalar::Int) };
        let text = |name: &str| Field { name: name.to_owned(), shape: Shape::Scalar(Scalar::Text) };
        let is = |text: &str, shape| assert_eq!(Shape::parse(text), Ok(shape), "{text}");
        is("ok", Shape::Scalar(Scalar::Ok));
        is("[a:int, b:text]", Shape::Array(vec![int("a"), text("b")], vec![]));
        is("[int...]", Shape::Array(vec![], vec![int("")]));
        is("[a:int, (b:text, c:int)...]", Shape::Array(vec![int("a")], vec![text("b"), int("c")]));
        is("{a:int}?", Shape::OrNil(Box::new(Shape::Map(vec![int("a")]))));
        is("{int...}", Shape::MapOf(Box::new(Shape::Scalar(Scalar::Int))));
        is(
            "[] | [a:int]",
            Shape::OneOf(vec![Shape::Array(vec![], vec![]), Shape::Array(vec![int("a")], vec![])]),
        );
        for wrong in ["", "x", "[a:int", "[a:int b:int]", "int]", "[(a:int...]", "int |"] {
            assert!(Shape::parse(wrong).is_err(), "{wrong}");
        }
    }
}
