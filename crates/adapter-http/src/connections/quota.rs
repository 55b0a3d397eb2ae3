use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The limit that is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuotaExceeded {
    /// The total limit.
    Total,
    /// The limit for one caller.
    PerCaller,
}

/// A quota with a total limit and a limit for each caller.
#[derive(Debug)]
pub(crate) struct ConnectionQuota<K> {
    total_limit: usize,
    limit_per_caller: usize,
    taken: Mutex<Taken<K>>,
}

#[derive(Debug)]
struct Taken<K> {
    all: usize,
    /// Callers without an entry hold none.
    by_caller: HashMap<K, usize>,
}

impl<K: Eq + Hash + Clone> ConnectionQuota<K> {
    /// A quota with both limits.
    pub(crate) fn new(total_limit: usize, limit_per_caller: usize) -> Arc<Self> {
        Arc::new(Self { total_limit, limit_per_caller, taken: Mutex::new(Taken { all: 0, by_caller: HashMap::new() }) })
    }

    /// Takes one unit until the returned value is dropped. Without a key only the total limit applies.
    ///
    /// # Errors
    /// Returns the exceeded limit.
    pub(crate) fn take(self: &Arc<Self>, caller: Option<K>) -> Result<QuotaPermit<K>, QuotaExceeded> {
        let mut taken = self.taken();
        if taken.all >= self.total_limit {
            return Err(QuotaExceeded::Total);
        }
        if let Some(caller) = &caller {
            let own = taken.by_caller.get(caller).copied().unwrap_or_default();
            if own >= self.limit_per_caller {
                return Err(QuotaExceeded::PerCaller);
            }
            taken.by_caller.insert(caller.clone(), own + 1);
        }
        taken.all += 1;
        Ok(QuotaPermit { quota: Arc::clone(self), caller })
    }

    fn taken(&self) -> MutexGuard<'_, Taken<K>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn release(&self, caller: Option<&K>) {
        let mut taken = self.taken();
        taken.all -= 1;
        let Some(caller) = caller else { return };
        if let Some(own) = taken.by_caller.get_mut(caller) {
            *own -= 1;
            if *own == 0 {
                taken.by_caller.remove(caller);
            }
        }
    }
}

/// A unit of the quota, held until dropped.
#[derive(Debug)]
pub(crate) struct QuotaPermit<K: Eq + Hash + Clone> {
    quota: Arc<ConnectionQuota<K>>,
    caller: Option<K>,
}

impl<K: Eq + Hash + Clone> Drop for QuotaPermit<K> {
    fn drop(&mut self) {
        self.quota.release(self.caller.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_one_caller_does_not_affect_others() {
        let quota = ConnectionQuota::new(4, 2);
        let [first, _second] = [quota.take(Some("a")).unwrap(), quota.take(Some("a")).unwrap()];
        assert_eq!(quota.take(Some("a")).unwrap_err(), QuotaExceeded::PerCaller);
        let _other = quota.take(Some("b")).unwrap();
        drop(first);
        assert!(quota.take(Some("a")).is_ok(), "the dropped unit is free again");
    }

    #[test]
    fn the_total_limit_applies_to_everybody() {
        let quota = ConnectionQuota::new(2, 2);
        let taken = [quota.take(Some("a")), quota.take(None)];
        assert!(taken.iter().all(Result::is_ok));
        for caller in [Some("b"), None] {
            assert_eq!(quota.take(caller).unwrap_err(), QuotaExceeded::Total);
        }
        drop(taken);
        assert!(quota.taken().by_caller.is_empty(), "callers without a unit have no entry");
        assert!(quota.take(Some("b")).is_ok());
    }

    #[test]
    fn callers_without_a_key_have_only_the_total_limit() {
        let quota: Arc<ConnectionQuota<&str>> = ConnectionQuota::new(3, 1);
        let taken: Vec<_> = (0..3).map_while(|_| quota.take(None).ok()).collect();
        assert_eq!(taken.len(), 3);
    }
}
