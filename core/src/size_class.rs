//! Which sizes an allocator really hands out: jemalloc, the server's, has four classes a doubling.
//! Blocks that grow in these steps waste nothing and never more than a fifth while they wait.

/// The smallest class that holds so many bytes.
#[must_use]
pub const fn round_up(bytes: usize) -> usize {
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

#[cfg(test)]
mod tests {
    use super::round_up;

    #[test]
    fn the_classes_of_jemalloc() {
        let classes = [
            16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 1024,
            1280, 1536, 1792, 2048, 2560, 3072, 3584, 4096, 5120, 6144, 7168, 8192, 10240,
        ];
        let mut smaller = 0;
        for class in classes {
            assert_eq!(round_up(smaller + 1), class);
            assert_eq!(round_up(class), class);
            smaller = class;
        }
    }
}
