use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The limit that is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuotaExceeded {
    /// The total limit.
    AtAll,
    /// The limit for one caller.
    ForOne,
}

/// A quota with a total limit and a limit for each caller.
#[derive(Debug)]
pub(crate) struct ConnectionQuota<K> {
    at_most: usize,
    for_one: usize,
    taken: Mutex<Taken<K>>,
}

#[derive(Debug)]
struct Taken<K> {
    all: usize,
    /// Callers without an entry hold none.
    by_one: HashMap<K, usize>,
}

impl<K: Eq + Hash + Clone> ConnectionQuota<K> {
    /// A quota with both limits.
    pub(crate) fn new(at_most: usize, for_one: usize) -> Arc<Self> {
        Arc::new(Self { at_most, for_one, taken: Mutex::new(Taken { all: 0, by_one: HashMap::new() }) })
    }

    /// Takes one unit until the returned value is dropped. Without a key only the total limit applies.
    ///
    /// # Errors
    /// Returns the exceeded limit.
    pub(crate) fn take(self: &Arc<Self>, who: Option<K>) -> Result<Place<K>, QuotaExceeded> {
        let mut taken = self.taken();
        if taken.all >= self.at_most {
            return Err(QuotaExceeded::AtAll);
        }
        if let Some(who) = &who {
            let own = taken.by_one.get(who).copied().unwrap_or_default();
            if own >= self.for_one {
                return Err(QuotaExceeded::ForOne);
            }
            taken.by_one.insert(who.clone(), own + 1);
        }
        taken.all += 1;
        Ok(Place { places: Arc::clone(self), who })
    }

    fn taken(&self) -> MutexGuard<'_, Taken<K>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_back(&self, who: Option<&K>) {
        let mut taken = self.taken();
        taken.all -= 1;
        let Some(who) = who else { return };
        if let Some(own) = taken.by_one.get_mut(who) {
            *own -= 1;
            if *own == 0 {
                taken.by_one.remove(who);
            }
        }
    }
}

/// A unit of the quota, held until dropped.
#[derive(Debug)]
pub(crate) struct Place<K: Eq + Hash + Clone> {
    places: Arc<ConnectionQuota<K>>,
    who: Option<K>,
}

impl<K: Eq + Hash + Clone> Drop for Place<K> {
    fn drop(&mut self) {
        self.places.give_back(self.who.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_one_caller_does_not_affect_others() {
        let places = ConnectionQuota::new(4, 2);
        let [first, _second] = [places.take(Some("a")).unwrap(), places.take(Some("a")).unwrap()];
        assert_eq!(places.take(Some("a")).unwrap_err(), QuotaExceeded::ForOne);
        let _other = places.take(Some("b")).unwrap();
        drop(first);
        assert!(places.take(Some("a")).is_ok(), "it was given back");
    }

    #[test]
    fn the_total_limit_applies_to_everybody() {
        let places = ConnectionQuota::new(2, 2);
        let taken = [places.take(Some("a")), places.take(None)];
        assert!(taken.iter().all(Result::is_ok));
        for who in [Some("b"), None] {
            assert_eq!(places.take(who).unwrap_err(), QuotaExceeded::AtAll);
        }
        drop(taken);
        assert!(places.taken().by_one.is_empty(), "nobody is remembered who has none");
        assert!(places.take(Some("b")).is_ok());
    }

    #[test]
    fn callers_without_a_key_have_only_the_total_limit() {
        let places: Arc<ConnectionQuota<&str>> = ConnectionQuota::new(3, 1);
        let taken: Vec<_> = (0..3).map_while(|_| places.take(None).ok()).collect();
        assert_eq!(taken.len(), 3);
    }
}
