//! The real sizes of allocations in the server's allocator, jemalloc: four size classes for each doubling. Lists
//! that grow by one class at a time leave at most a fifth of an allocation unused.

/// Returns the smallest size class for this number of bytes; 0 for 0 bytes.
#[must_use]
pub const fn round_up(bytes: usize) -> usize {
    if bytes <= 8 {
        return if bytes == 0 { 0 } else { 8 };
    }
    if bytes <= 16 {
        return 16;
    }
    let highest = usize::BITS.saturating_sub(bytes.saturating_sub(1).leading_zeros());
    let step = if highest <= 7 { 16 } else { 1_usize << highest.saturating_sub(3) };
    match bytes.checked_next_multiple_of(step) {
        Some(size) => size,
        None => bytes,
    }
}

/// Returns the number of bytes of an allocation for this number of items.
#[must_use]
pub const fn bytes_of<T>(items: usize) -> usize {
    round_up(items.saturating_mul(size_of::<T>()))
}

/// Returns how many items fit into the allocation that is made for this number of items.
#[must_use]
pub const fn room_for<T>(items: usize) -> usize {
    match bytes_of::<T>(items).checked_div(size_of::<T>()) {
        Some(room) => room,
        None => usize::MAX,
    }
}

/// Inserts an item. If the vector is full, its memory grows by one size class.
pub fn put<T>(items: &mut Vec<T>, at: usize, item: T) {
    let len = items.len();
    if len == items.capacity() {
        items.reserve_exact(room_for::<T>(len.saturating_add(1)).saturating_sub(len));
    }
    items.insert(at, item);
}

/// Frees the memory that a vector does not need, in whole size classes.
pub fn trim<T>(items: &mut Vec<T>) {
    items.shrink_to(room_for::<T>(items.len()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_of_jemalloc() {
        let classes = [
            8, 16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024,
            1280, 1536, 1792, 2048, 2560, 3072, 3584, 4096, 5120, 6144, 7168, 8192, 10240,
        ];
        let mut smaller = 0;
        assert_eq!(round_up(0), 0);
        for class in classes {
            assert_eq!(round_up(smaller + 1), class);
            assert_eq!(round_up(class), class);
            smaller = class;
        }
    }

    #[test]
    fn lists_grow_and_shrink_by_one_class() {
        let mut items: Vec<[u8; 24]> = Vec::new();
        for len in 1..300 {
            put(&mut items, len / 2, [0; 24]);
            assert_eq!(items.capacity(), room_for::<[u8; 24]>(len));
            assert!(len * 24 <= bytes_of::<[u8; 24]>(len) && bytes_of::<[u8; 24]>(len) < len * 36);
        }
        items.truncate(3);
        trim(&mut items);
        assert_eq!((items.capacity(), bytes_of::<[u8; 24]>(3)), (3, 80));
    }
}
