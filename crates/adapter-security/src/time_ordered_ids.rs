use plenum_kernel::NewIds;
use uuid::Uuid;

/// UUIDs of version 7, which sort by their time of creation, also within one millisecond of this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimeOrderedIds;

impl NewIds for TimeOrderedIds {
    #[expect(clippy::disallowed_methods, reason = "this is the port's implementation, which everyone else is to use")]
    fn next_uuid(&self) -> Uuid {
        Uuid::now_v7()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_ids_sort_after_earlier_ones() {
        let ids: Vec<Uuid> = (0..10_000).map(|_| TimeOrderedIds.next_uuid()).collect();
        assert!(ids.is_sorted_by(|earlier, later| earlier < later));
    }
}
