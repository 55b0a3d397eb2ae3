use std::time::{Duration, Instant};

use plenum_kernel::SignInTicket;

use super::job::{Full, Job, Lane, Look, Place};
use super::line::{Line, Step};

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sweep {
    lane: Lane,
    /// The first number that it has not looked at.
    from: u64,
}

/// Who waits for the threads that hash, and in which order they come.
///
/// Checks go first, each in its turn. What is made gets a tenth of the time beside them, and all of it when nobody
/// signs in: an import neither holds up a hall nor stands still until the hall is seated.
///
/// It stands behind a lock, so each call asks no more than a few of those who wait.
pub(crate) struct HashingQueue {
    checks: Line,
    makings: Line,
    /// How many may wait in each lane.
    room: usize,
    threads: u32,
    /// How many seconds checks have ahead of what is made; less than nothing when something may be made.
    owed: f64,
}

impl HashingQueue {
    /// While checks wait, they get so many times the time that was spent on making.
    const SHARE_OF_CHECKS: f64 = 9.0;

    /// For so long somebody who hung up can come back to their place: until the connection is there again and a screen
    /// has tried a few times.
    pub(crate) const KEPT: Duration = Duration::from_secs(30);

    /// So often those who were passed over are asked again.
    pub(super) const ASKS_AGAIN_AFTER: Duration = Duration::from_millis(50);

    /// So often a full lane is swept, however many are turned away.
    const SWEEPS_AGAIN_AFTER: Duration = Duration::from_millis(100);

    /// How many are asked in one call.
    pub(super) const ASKED_AT_A_TIME: usize = 32;

    /// Nobody waits. A hash is thought to take as long as `guess`, until one was measured.
    pub(crate) fn new(room: usize, threads: usize, guess: Duration) -> Self {
        Self {
            checks: Line::new(guess),
            makings: Line::new(guess),
            room: room.max(1),
            threads: u32::try_from(threads).unwrap_or(u32::MAX).max(1),
            owed: 0.0,
        }
    }

    /// Takes the place of the job with the same ticket, whether or not somebody still waits for that: who comes back has
    /// perhaps lost a connection of which the loss is not known here yet. Or else lines up at the end, and is given back
    /// when there is no room.
    pub(crate) fn join(&mut self, lane: Lane, job: Job) -> Result<(), Job> {
        let room = self.room;
        self.line(lane).join(job, room)
    }

    /// Begins to look in a lane for those who have left, unless that was done a moment ago.
    pub(crate) fn begin_sweep(&mut self, lane: Lane, now: Instant) -> Option<Sweep> {
        let line = self.line(lane);
        if line.swept_at.is_some_and(|swept_at| now < swept_at + Self::SWEEPS_AGAIN_AFTER) {
            return None;
        }
        line.swept_at = Some(now);
        Some(Sweep { lane, from: 0 })
    }

    /// Goes on with a sweep: removes some of those to whom nobody can come back. None when it is through.
    pub(crate) fn sweep(&mut self, sweep: Sweep, now: Instant) -> Option<Sweep> {
        let from = self.line(sweep.lane).sweep(sweep.from, now)?;
        Some(Sweep { from, ..sweep })
    }

    /// Where a lane is still full, one who cannot be served now gives way to somebody who can: the last of those who hung
    /// up, for nobody must be able to fill it by leaving; or else the last of those who are held up.
    pub(crate) fn make_room(&mut self, lane: Lane) {
        let room = self.room;
        self.line(lane).make_room(room);
    }

    /// Whose turn it is.
    pub(crate) fn next(&mut self, now: Instant) -> Look {
        if self.owed <= 0.0 {
            let look = self.look(Lane::Making, now);
            if !matches!(look, Look::Nothing) {
                return look;
            }
        }
        let look = self.look(Lane::Check, now);
        if !matches!(look, Look::Nothing) {
            return look;
        }
        // Nobody signs in, so nobody is owed anything.
        self.owed = 0.0;
        self.look(Lane::Making, now)
    }

    /// When those who were passed over are asked again; none when nobody waits for a check.
    pub(crate) fn next_look(&self) -> Option<Instant> {
        self.checks.asks_again_at.filter(|_| !self.checks.waiting.is_empty())
    }

    fn look(&mut self, lane: Lane, now: Instant) -> Look {
        match self.line(lane).next(now) {
            Step::Found(job) => Look::Found(lane, job),
            Step::Unfinished => Look::Unfinished,
            Step::Nothing => Look::Nothing,
        }
    }

    /// Notes how long one took, by the clock on the wall: also while others have the cores.
    pub(crate) fn done(&mut self, lane: Lane, took: Duration) {
        self.line(lane).measure(took);
        match lane {
            Lane::Making => self.owed += took.as_secs_f64() * Self::SHARE_OF_CHECKS,
            // No more is saved up than one check is worth, so that an import does not begin with a jam.
            Lane::Check => self.owed = (self.owed - took.as_secs_f64()).max(-self.checks.each.as_secs_f64()),
        }
    }

    /// Where the check with this ticket stands, or else where one would stand that came now.
    pub(crate) fn place(&self, ticket: Option<SignInTicket>) -> Place {
        let (ahead, is_own) = self.checks.place(ticket);
        // One's own hash takes its time as well.
        Place { ahead, wait: self.time_of(&self.checks, ahead) + self.checks.each, is_own }
    }

    /// What somebody is told for whom there is no room in a lane.
    pub(crate) fn full(&self, lane: Lane) -> Full {
        let line = match lane {
            Lane::Check => &self.checks,
            Lane::Making => &self.makings,
        };
        let alone = self.time_of(line, line.waiting.len().div_ceil(10));
        let is_shared = lane == Lane::Making && !self.checks.waiting.is_empty();
        Full { retry_after: if is_shared { alone.mul_f64(1.0 + Self::SHARE_OF_CHECKS) } else { alone } }
    }

    /// How many threads there are.
    #[cfg(any(test, feature = "testkit"))]
    pub(crate) fn threads(&self) -> u32 {
        self.threads
    }

    fn time_of(&self, line: &Line, jobs: usize) -> Duration {
        line.each.mul_f64(jobs as f64) / self.threads
    }

    fn line(&mut self, lane: Lane) -> &mut Line {
        match lane {
            Lane::Check => &mut self.checks,
            Lane::Making => &mut self.makings,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Mutex, PoisonError};

    use plenum_clients::TurnAnswer;
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    const EACH: Duration = Duration::from_millis(60);
    const MOMENT: Duration = Duration::from_millis(1);

    fn job(ticket: Option<SignInTicket>) -> Job {
        let (has_left, answer) = (Box::new(|| false), Box::new(|| TurnAnswer::Wanted));
        Job { ticket, has_left, answer, work: Box::new(|| ()) }
    }

    /// Somebody who does what the test says.
    #[derive(Clone)]
    struct Person {
        ticket: Option<SignInTicket>,
        /// None when they have hung up.
        answer: Arc<Mutex<Option<TurnAnswer>>>,
        asked: Arc<AtomicUsize>,
    }

    impl Person {
        fn new(ticket: Option<SignInTicket>) -> Self {
            Self { ticket, answer: Arc::new(Mutex::new(Some(TurnAnswer::Wanted))), asked: Arc::default() }
        }

        fn held_up(ticket: SignInTicket) -> Self {
            let person = Self::new(Some(ticket));
            person.says(TurnAnswer::NotYet);
            person
        }

        fn says(&self, answer: TurnAnswer) {
            *self.answer.lock().unwrap() = Some(answer);
        }

        fn leaves(&self) {
            *self.answer.lock().unwrap() = None;
        }

        fn said(&self) -> Option<TurnAnswer> {
            *self.answer.lock().unwrap_or_else(PoisonError::into_inner)
        }

        fn job(&self) -> Job {
            let (waiter, one) = (self.clone(), self.clone());
            let has_left = Box::new(move || {
                waiter.asked.fetch_add(1, Ordering::Relaxed);
                waiter.said().is_none()
            });
            let answer = Box::new(move || one.said().unwrap());
            Job { has_left, answer, ..job(self.ticket) }
        }
    }

    fn tickets(number: usize) -> Vec<SignInTicket> {
        let ids = CountingIds::new();
        (0..number).map(|_| SignInTicket::new(&ids)).collect()
    }

    /// A queue in which these wait for a check.
    fn queue_of(tickets: &[SignInTicket]) -> HashingQueue {
        let mut queue = HashingQueue::new(tickets.len().max(1), 2, EACH);
        tickets.iter().for_each(|ticket| lines_up(&mut queue, job(Some(*ticket))));
        queue
    }

    fn lines_up(queue: &mut HashingQueue, job: Job) {
        assert!(queue.join(Lane::Check, job).is_ok());
    }

    fn sweep(queue: &mut HashingQueue, now: Instant) {
        let mut sweep = queue.begin_sweep(Lane::Check, now);
        while let Some(one) = sweep {
            sweep = queue.sweep(one, now);
        }
    }

    fn next(queue: &mut HashingQueue, now: Instant) -> Option<(Lane, Job)> {
        loop {
            match queue.next(now) {
                Look::Found(lane, job) => return Some((lane, job)),
                Look::Unfinished => {}
                Look::Nothing => return None,
            }
        }
    }

    fn served_at(queue: &mut HashingQueue, now: Instant) -> Vec<Option<SignInTicket>> {
        std::iter::from_fn(|| next(queue, now)).map(|(_, job)| job.ticket).collect()
    }

    fn served(queue: &mut HashingQueue) -> Vec<Option<SignInTicket>> {
        served_at(queue, Instant::now())
    }

    #[test]
    fn who_comes_first_is_served_first() {
        let tickets = tickets(100);
        let order: Vec<_> = tickets.iter().copied().map(Some).collect();
        assert_eq!(served(&mut queue_of(&tickets)), order);
    }

    #[test]
    fn everybody_can_ask_for_their_place_and_a_newcomer_for_the_last_one() {
        let tickets = tickets(100);
        let mut queue = queue_of(&tickets);
        assert_eq!(queue.place(Some(tickets[0])), Place { ahead: 0, wait: EACH, is_own: true });
        // Two threads.
        assert_eq!(queue.place(Some(tickets[50])), Place { ahead: 50, wait: EACH * 26, is_own: true });
        let newcomer = Place { ahead: 100, wait: EACH * 51, is_own: false };
        assert_eq!(queue.place(None), newcomer);
        assert_eq!(queue.place(Some(SignInTicket::from_uuid(uuid::Uuid::max()))), newcomer);
        assert!(next(&mut queue, Instant::now()).is_some());
        assert_eq!(queue.place(Some(tickets[50])).ahead, 49);
        assert_eq!(HashingQueue::new(1, 2, EACH).place(None), Place { ahead: 0, wait: EACH, is_own: false });
    }

    #[test]
    fn the_wait_follows_the_measured_pace() {
        let mut queue = queue_of(&tickets(100));
        for _ in 0..200 {
            queue.done(Lane::Check, EACH * 4);
        }
        let wait = queue.place(None).wait;
        assert!(wait > EACH * 200 && wait < EACH * 205, "{wait:?}");
        // What is made says nothing of it.
        queue.done(Lane::Making, Duration::from_secs(100));
        assert_eq!(queue.place(None).wait, wait);
    }

    #[test]
    fn a_full_queue_says_when_to_come_back() {
        let mut queue = queue_of(&tickets(100));
        assert!(queue.join(Lane::Check, job(None)).is_err());
        assert_eq!(queue.full(Lane::Check), Full { retry_after: EACH * 5 });
        assert_eq!(queue.place(None).ahead, 100);
    }

    #[test]
    fn what_is_made_comes_back_when_a_tenth_of_that_lane_is_served_at_its_share_of_the_time() {
        let mut queue = busy(0, 100);
        assert_eq!(queue.full(Lane::Making).retry_after, EACH * 10);
        lines_up(&mut queue, job(None));
        assert_eq!(queue.full(Lane::Making).retry_after, EACH * 100);
        // Quick ones, as measured.
        (0..500).for_each(|_| queue.done(Lane::Making, MOMENT));
        let quick = queue.full(Lane::Making).retry_after;
        assert!(quick >= MOMENT * 100 && quick < MOMENT * 101, "{quick:?}");
    }

    #[test]
    fn who_leaves_for_good_makes_room_and_at_once_only_where_nobody_can_come_back() {
        let tickets = tickets(3);
        let now = Instant::now();
        let mut queue = HashingQueue::new(2, 1, EACH);
        let (with, without) = (Person::new(Some(tickets[0])), Person::new(None));
        lines_up(&mut queue, with.job());
        lines_up(&mut queue, without.job());
        with.leaves();
        without.leaves();
        sweep(&mut queue, now);
        lines_up(&mut queue, job(Some(tickets[1])));
        assert!(queue.join(Lane::Check, job(Some(tickets[2]))).is_err());
        sweep(&mut queue, now + HashingQueue::KEPT - MOMENT);
        assert!(queue.join(Lane::Check, job(Some(tickets[2]))).is_err());
        sweep(&mut queue, now + HashingQueue::KEPT + HashingQueue::SWEEPS_AGAIN_AFTER);
        lines_up(&mut queue, job(Some(tickets[2])));
        assert_eq!(served(&mut queue), [Some(tickets[1]), Some(tickets[2])]);
    }

    #[test]
    fn a_full_queue_is_swept_ten_times_a_second_however_many_are_turned_away() {
        let now = Instant::now();
        let people: Vec<_> = tickets(100).into_iter().map(|ticket| Person::new(Some(ticket))).collect();
        let mut queue = HashingQueue::new(people.len(), 1, EACH);
        people.iter().for_each(|person| lines_up(&mut queue, person.job()));
        let asked = || people.iter().map(|person| person.asked.load(Ordering::Relaxed)).sum::<usize>();
        for refusal in 0..1_000 {
            sweep(&mut queue, now + MOMENT * refusal / 10);
        }
        assert_eq!(asked(), 100);
        sweep(&mut queue, now + HashingQueue::SWEEPS_AGAIN_AFTER);
        assert_eq!(asked(), 200);
    }

    #[test]
    fn no_call_asks_more_than_a_few() {
        let now = Instant::now();
        let people: Vec<_> = tickets(100).into_iter().map(Person::held_up).collect();
        let mut queue = HashingQueue::new(people.len(), 1, EACH);
        people.iter().for_each(|person| lines_up(&mut queue, person.job()));
        let asked = || people.iter().map(|person| person.asked.swap(0, Ordering::Relaxed)).sum::<usize>();
        for number in [32, 32, 32] {
            assert!(matches!(queue.next(now), Look::Unfinished));
            assert_eq!(asked(), number);
        }
        assert!(matches!(queue.next(now), Look::Nothing));
        assert_eq!(asked(), 4);
        let sweep = queue.begin_sweep(Lane::Check, now).unwrap();
        assert!(queue.sweep(sweep, now).is_some());
        assert_eq!(asked(), 32);
        people.iter().for_each(Person::leaves);
        assert!(matches!(queue.next(now + HashingQueue::ASKS_AGAIN_AFTER), Look::Unfinished));
        assert_eq!(asked(), 32);
    }

    #[test]
    fn the_newest_with_a_ticket_has_the_place_and_without_one_nobody_has() {
        let tickets = tickets(2);
        let mut queue = HashingQueue::new(10, 1, EACH);
        let older = Person::new(Some(tickets[0]));
        lines_up(&mut queue, older.job());
        lines_up(&mut queue, job(None));
        lines_up(&mut queue, job(Some(tickets[1])));
        lines_up(&mut queue, job(None));
        // The loss of the older one's connection is not known yet.
        let newer = Person::new(Some(tickets[0]));
        lines_up(&mut queue, newer.job());
        assert_eq!(queue.place(Some(tickets[0])).ahead, 0);
        assert_eq!(served(&mut queue), [Some(tickets[0]), None, Some(tickets[1]), None]);
        assert_eq!(older.asked.load(Ordering::Relaxed), 0);
        assert!(newer.asked.load(Ordering::Relaxed) > 0);
    }

    #[test]
    fn who_comes_back_to_a_full_queue_has_the_old_place() {
        let tickets = tickets(3);
        let mut queue = queue_of(&tickets);
        let back = Person::new(Some(tickets[1]));
        lines_up(&mut queue, back.job());
        assert!(queue.join(Lane::Check, job(None)).is_err());
        assert_eq!(served(&mut queue), tickets.iter().copied().map(Some).collect::<Vec<_>>());
        // Once when they came, and once when their turn did.
        assert_eq!(back.asked.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn who_hung_up_is_passed_over_and_keeps_the_place_for_a_while() {
        let tickets = tickets(3);
        let now = Instant::now();
        let mut queue = HashingQueue::new(10, 1, EACH);
        let people: Vec<_> = tickets.iter().map(|ticket| Person::new(Some(*ticket))).collect();
        people.iter().for_each(|person| lines_up(&mut queue, person.job()));
        people[0].leaves();
        people[1].leaves();
        assert_eq!(served_at(&mut queue, now), [Some(tickets[2])]);
        assert_eq!(queue.place(None), Place { ahead: 0, wait: EACH, is_own: false });
        lines_up(&mut queue, job(None));
        lines_up(&mut queue, job(Some(tickets[1])));
        let later = now + HashingQueue::ASKS_AGAIN_AFTER;
        assert_eq!(queue.next_look(), Some(later));
        assert_eq!(served_at(&mut queue, later), [Some(tickets[1]), None]);
        // Nobody came back to the other one.
        assert!(queue.place(Some(tickets[0])).is_own);
        assert!(served_at(&mut queue, now + HashingQueue::KEPT).is_empty());
        assert!(!queue.place(Some(tickets[0])).is_own);
        assert_eq!(queue.next_look(), None);
    }

    #[test]
    fn who_is_held_up_lets_others_pass_and_keeps_the_place() {
        let tickets = tickets(4);
        let now = Instant::now();
        let mut queue = HashingQueue::new(10, 2, EACH);
        let held_up: Vec<_> = tickets[..2].iter().map(|ticket| Person::held_up(*ticket)).collect();
        held_up.iter().for_each(|person| lines_up(&mut queue, person.job()));
        lines_up(&mut queue, job(Some(tickets[2])));
        assert_eq!(served_at(&mut queue, now), [Some(tickets[2])]);
        lines_up(&mut queue, job(Some(tickets[3])));
        // They stand before one another, and in nobody else's way.
        let place = |number: usize| queue.place(Some(tickets[number]));
        assert_eq!([place(1).ahead, place(3).ahead], [1, 0]);
        assert!(!place(2).is_own);
        held_up.iter().for_each(|person| person.says(TurnAnswer::Wanted));
        let later = now + HashingQueue::ASKS_AGAIN_AFTER;
        assert_eq!(served_at(&mut queue, later), [Some(tickets[0]), Some(tickets[1]), Some(tickets[3])]);
    }

    #[test]
    fn who_stands_behind_many_who_are_held_up_is_asked_however_slowly_that_goes() {
        let tickets = tickets(101);
        let mut now = Instant::now();
        let mut queue = HashingQueue::new(200, 1, EACH);
        let held_up: Vec<_> = tickets[..100].iter().map(|ticket| Person::held_up(*ticket)).collect();
        held_up.iter().for_each(|person| lines_up(&mut queue, person.job()));
        lines_up(&mut queue, job(Some(tickets[100])));
        let steps = std::iter::from_fn(|| {
            now += HashingQueue::ASKS_AGAIN_AFTER;
            Some(queue.next(now))
        });
        let found = steps.take(10).find_map(|look| if let Look::Found(_, job) = look { Some(job) } else { None });
        assert_eq!(found.unwrap().ticket, Some(tickets[100]));
    }

    #[test]
    fn in_a_full_queue_who_hung_up_gives_way_before_who_is_held_up() {
        let tickets = tickets(4);
        let now = Instant::now();
        let mut queue = HashingQueue::new(3, 1, EACH);
        let people = [Person::new(Some(tickets[0])), Person::new(Some(tickets[1])), Person::held_up(tickets[2])];
        people.iter().for_each(|person| lines_up(&mut queue, person.job()));
        people[0].leaves();
        people[1].leaves();
        assert!(served_at(&mut queue, now).is_empty());
        queue.make_room(Lane::Check);
        lines_up(&mut queue, job(Some(tickets[3])));
        let is_here = |number: usize| queue.place(Some(tickets[number])).is_own;
        assert_eq!([0, 1, 2].map(is_here), [true, false, true]);
    }

    #[test]
    fn a_request_that_was_given_up_does_not_take_the_place_of_one_that_was_not() {
        let ticket = tickets(1)[0];
        let mut queue = HashingQueue::new(10, 1, EACH);
        let (waits, given_up) = (Person::new(Some(ticket)), Person::new(Some(ticket)));
        lines_up(&mut queue, waits.job());
        given_up.leaves();
        lines_up(&mut queue, given_up.job());
        assert_eq!(served(&mut queue), [Some(ticket)]);
    }

    #[test]
    fn who_gives_the_turn_up_is_dropped_with_it() {
        let ticket = tickets(1)[0];
        let mut queue = HashingQueue::new(10, 1, EACH);
        let person = Person::new(Some(ticket));
        lines_up(&mut queue, person.job());
        person.says(TurnAnswer::Gone);
        assert!(served(&mut queue).is_empty());
        assert!(!queue.place(Some(ticket)).is_own);
    }

    #[test]
    fn in_a_full_queue_the_last_who_is_held_up_gives_way() {
        let tickets = tickets(4);
        let now = Instant::now();
        let mut queue = HashingQueue::new(3, 1, EACH);
        let people: Vec<_> = tickets[..3].iter().map(|ticket| Person::held_up(*ticket)).collect();
        people.iter().for_each(|person| lines_up(&mut queue, person.job()));
        assert!(served_at(&mut queue, now).is_empty());
        people[2].says(TurnAnswer::Wanted);
        let later = now + HashingQueue::ASKS_AGAIN_AFTER;
        assert_eq!(served_at(&mut queue, later), [Some(tickets[2])]);
        // There is room.
        queue.make_room(Lane::Check);
        lines_up(&mut queue, job(Some(tickets[2])));
        queue.make_room(Lane::Check);
        lines_up(&mut queue, job(Some(tickets[3])));
        assert_eq!(served_at(&mut queue, later), [Some(tickets[2]), Some(tickets[3])]);
        assert!(queue.place(Some(tickets[0])).is_own && !queue.place(Some(tickets[1])).is_own);
    }

    /// Serves so many, each of which takes as long as its lane does, and says how many of them were made.
    fn made_of(queue: &mut HashingQueue, served: usize, making: Duration) -> usize {
        let lanes = (0..served).map(|_| {
            let (lane, _) = next(queue, Instant::now()).unwrap();
            queue.done(lane, if lane == Lane::Check { EACH } else { making });
            lane
        });
        lanes.filter(|lane| *lane == Lane::Making).count()
    }

    fn busy(checks: usize, makings: usize) -> HashingQueue {
        let mut queue = HashingQueue::new(10_000, 1, EACH);
        for (lane, number) in [(Lane::Making, makings), (Lane::Check, checks)] {
            (0..number).for_each(|_| assert!(queue.join(lane, job(None)).is_ok()));
        }
        queue
    }

    #[test]
    fn an_import_takes_a_tenth_of_the_time_while_a_hall_signs_in() {
        assert_eq!(made_of(&mut busy(1_000, 500), 1_000, EACH), 100);
        // Quick ones are more in the same time.
        let quick = EACH / 60;
        let made = made_of(&mut busy(1_000, 5_000), 1_000, quick);
        assert!((850..=900).contains(&made), "{made}");
    }

    #[test]
    fn an_import_has_all_threads_when_nobody_signs_in() {
        let mut queue = busy(1, 50);
        assert_eq!(made_of(&mut queue, 51, EACH), 50);
        assert!(next(&mut queue, Instant::now()).is_none());
    }
}
