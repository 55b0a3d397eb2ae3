//! The work of PostgreSQL for a call of a store, from the plans that it logs with the rows that each part read.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use diesel::RunQueryDsl as _;
use diesel::pg::PgConnection;
use diesel::sql_types::Text;
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{Db, DbSettings};
use serde_json::Value;
use tokio::sync::{Mutex, MutexGuard};

/// The role whose log is read. No other role on the test server explains statements.
const EXPLAINED: &str = "explained_statements";

/// The growing tables. A sequential scan of one is a mistake, however few rows it has now.
const GROWING: [&str; 21] = [
    "attendance",
    "audit_entries",
    "end_user_counts",
    "end_users",
    "exclusions",
    "meeting_counts",
    "meetings",
    "options",
    "participants",
    "invitations",
    "questions",
    "rehearsal_answers",
    "rehearsals",
    "refresh_tokens",
    "register",
    "round_counters",
    "round_log",
    "round_options",
    "rounds",
    "sessions",
    "votes",
];

/// One scan of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scan {
    kind: String,
    table: String,
    /// The rows that it read, discarded ones included.
    rows: f64,
}

/// The default limit of sorted rows: a page, and the tables that stay small.
pub(crate) const A_PAGE: f64 = 50.0;

/// Makes the call, and records a sequential scan of a growing table, or more rows read or sorted than allowed.
macro_rules! costs {
    ($observed:expr, $name:expr, at most $rows:expr, $call:expr) => {
        $crate::plans::observed::costs!($observed, $name, at most $rows, sorted $crate::plans::observed::A_PAGE, $call)
    };
    ($observed:expr, $name:expr, at most $rows:expr, sorted $sorted:expr, $call:expr) => {{
        let (outcome, work) = $observed.work_of($call).await;
        let limits = $crate::plans::observed::Limits { rows: f64::from($rows), sorted: f64::from($sorted) };
        $observed.judge(&$name.to_string(), &work, limits);
        outcome.unwrap()
    }};
}

pub(crate) use costs;

/// The work of PostgreSQL for a call.
#[derive(Debug, PartialEq)]
pub(crate) struct Work {
    scans: Vec<Scan>,
    /// The number of sorted rows, even if only the first of them were needed.
    sorted: f64,
    /// The number of rows in all parts of the plans, including those that a loop compared and discarded, and those that were
    /// kept in memory and read again.
    pub(crate) touched: f64,
    /// Filters that search an array for each row.
    pub(crate) arrays: Vec<String>,
}

/// The rows that a call may read and sort.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) rows: f64,
    pub(crate) sorted: f64,
}

/// All tests of a process share one log, so one at a time reads it.
static LOG: Mutex<()> = Mutex::const_new(());

/// A database that explains every statement.
pub(crate) struct Observed {
    _turn: MutexGuard<'static, ()>,
    _database: TestDatabase,
    settings: DbSettings,
    log: PathBuf,
    marker: PgConnection,
    marks: u32,
    findings: Vec<String>,
}

#[derive(diesel::QueryableByName)]
struct Place {
    #[diesel(sql_type = Text)]
    folder: String,
}

impl Work {
    fn of(plans: &[Value]) -> Self {
        Self {
            scans: plans.iter().flat_map(scans_of).collect(),
            sorted: plans.iter().map(sorted_by).sum(),
            touched: plans.iter().map(touched_by).sum(),
            arrays: plans.iter().flat_map(arrays_in).collect(),
        }
    }
}

impl Observed {
    /// `None` on an external server, whose log we cannot read.
    pub(crate) async fn start(fill: impl FnOnce(&mut PgConnection)) -> Option<Self> {
        if std::env::var_os("PLENUM_TEST_DATABASE_URL").is_some() {
            return None;
        }
        let turn = LOG.lock().await;
        let database = TestDatabase::undisturbed().await;
        let mut marker = database.connection();
        fill(&mut marker);
        let place: Place =
            diesel::sql_query("SELECT current_setting('data_directory') AS folder").get_result(&mut marker).unwrap();
        let log = PathBuf::from(place.folder).parent().unwrap().join("postgres.log");
        let url = format!("{}&application_name={EXPLAINED}", database.url());
        let options = [
            "session_preload_libraries=auto_explain",
            "auto_explain.log_min_duration=0",
            "auto_explain.log_analyze=on",
            "auto_explain.log_timing=off",
            "auto_explain.log_format=json",
            "auto_explain.log_parameter_max_length=0",
            "log_min_messages=log",
        ];
        let settings = DbSettings::new(url);
        let mut observed =
            Self { _turn: turn, _database: database, findings: Vec::new(), settings, log, marker, marks: 0 };
        options.iter().for_each(|option| observed.add_to_url(option));
        Some(observed)
    }

    /// Plans statements for unknown values from now on, as PostgreSQL does for statements that a connection has repeated.
    pub(crate) fn plan_for_any_value(&mut self) {
        self.add_to_url("plan_cache_mode=force_generic_plan");
    }

    /// Plans statements for their actual values from now on.
    pub(crate) fn plan_for_each_value(&mut self) {
        self.add_to_url("plan_cache_mode=force_custom_plan");
    }

    fn add_to_url(&mut self, option: &str) {
        let url = &mut self.settings.url;
        let at = url.find("options=").unwrap();
        let end = url[at..].find('&').map_or(url.len(), |length| at + length);
        url.insert_str(end, &format!("%20-c{}", option.replace('=', "%3D")));
    }

    pub(crate) fn settings(&self) -> &DbSettings {
        &self.settings
    }

    pub(crate) fn db(&self) -> Db {
        Db::new(&self.settings).unwrap()
    }

    /// Records a violation by a call.
    pub(crate) fn judge(&mut self, name: &str, work: &Work, limits: Limits) {
        let scans = &work.scans;
        let whole = scans.iter().any(|scan| scan.kind == "Seq Scan" && GROWING.contains(&scan.table.as_str()));
        let looked_at: f64 = scans.iter().map(|scan| scan.rows).sum();
        if scans.is_empty() || whole || looked_at > limits.rows {
            self.findings.push(format!("{name}: {looked_at} rows, and not {}: {:?}", limits.rows, by_table(scans)));
        }
        if work.sorted > limits.sorted {
            self.findings.push(format!("{name}: {} rows sorted, and not {}", work.sorted, limits.sorted));
        }
    }

    /// A connection outside of the stores.
    pub(crate) const fn marker(&mut self) -> &mut PgConnection {
        &mut self.marker
    }

    /// Records another violation.
    pub(crate) fn note(&mut self, finding: String) {
        self.findings.push(finding);
    }

    /// All violations.
    pub(crate) fn findings(&self) -> String {
        self.findings.join("\n")
    }

    /// Makes a call, and returns the work done for it.
    pub(crate) async fn work_of<T>(&mut self, call: impl Future<Output = T>) -> (T, Work) {
        let from = self.mark().await;
        let outcome = call.await;
        let to = self.mark().await;
        let log = std::fs::read_to_string(&self.log).unwrap();
        (outcome, Work::of(&plans_in(&log[from..to])))
    }

    /// Writes a marker into the log, waits until it is there, and returns its position.
    async fn mark(&mut self) -> usize {
        self.marks += 1;
        let mark = format!("mark {} of {}", self.marks, std::process::id());
        // Every client can write into the log by a failing statement.
        diesel::sql_query(format!("DO $$ BEGIN RAISE LOG '{mark}'; END $$")).execute(&mut self.marker).unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            let log = std::fs::read_to_string(&self.log).unwrap_or_default();
            if let Some(place) = log.rfind(&format!("LOG:  {mark}")) {
                return place;
            }
            assert!(Instant::now() < deadline, "waited in vain for {mark} in {}", self.log.display());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// The plans in a part of the log. Continuation lines begin with a tab.
fn plans_in(log: &str) -> Vec<Value> {
    let mut plans = Vec::new();
    let mut lines = log.lines().peekable();
    while let Some(line) = lines.next() {
        if !line.ends_with("plan:") {
            continue;
        }
        let mut text = String::new();
        while let Some(more) = lines.next_if(|line| line.starts_with('\t')) {
            text.push_str(more);
        }
        let explained: Value = serde_json::from_str(&text).unwrap();
        plans.push(explained["Plan"].clone());
    }
    plans.retain(|plan| !is_of_new_connection(plan));
    plans
}

/// Whether a plan is of the look-up with which each new connection of a pool begins (`pool/tenants.rs`). On a busy machine a pool
/// may open one during any call.
fn is_of_new_connection(plan: &Value) -> bool {
    scans_of(plan).iter().any(|scan| scan.table == "pg_authid")
}

fn scans_of(plan: &Value) -> Vec<Scan> {
    let mut scans: Vec<Scan> = plan["Plans"].as_array().into_iter().flatten().flat_map(scans_of).collect();
    let number = |name: &str| plan[name].as_f64().unwrap_or_default();
    if let (Some(kind), Some(table)) = (plan["Node Type"].as_str(), plan["Relation Name"].as_str())
        && kind.contains("Scan")
    {
        let thrown_away = number("Rows Removed by Filter") + number("Rows Removed by Index Recheck");
        let rows = (number("Actual Rows") + thrown_away) * number("Actual Loops");
        scans.push(Scan { kind: kind.to_owned(), table: table.to_owned(), rows });
    }
    scans
}

/// The number of sorted rows. A sort node sorts the rows of the node below it.
fn sorted_by(plan: &Value) -> f64 {
    let parts = || plan["Plans"].as_array().into_iter().flatten();
    let is_sort = plan["Node Type"].as_str().is_some_and(|kind| kind.ends_with("Sort"));
    let given = |part: &Value| {
        let number = |name: &str| part[name].as_f64().unwrap_or_default();
        number("Actual Rows") * number("Actual Loops")
    };
    let own: f64 = if is_sort { parts().map(given).sum() } else { 0.0 };
    own + parts().map(sorted_by).sum::<f64>()
}

fn touched_by(plan: &Value) -> f64 {
    let number = |name: &str| plan[name].as_f64().unwrap_or_default();
    let thrown_away = number("Rows Removed by Filter")
        + number("Rows Removed by Join Filter")
        + number("Rows Removed by Index Recheck");
    let own = (number("Actual Rows") + thrown_away) * number("Actual Loops");
    own + plan["Plans"].as_array().into_iter().flatten().map(touched_by).sum::<f64>()
}

/// Filters that search the id of each row in an array of any length. Arrays known to the planner are hashed.
fn arrays_in(plan: &Value) -> Vec<String> {
    let mut found: Vec<String> = plan["Plans"].as_array().into_iter().flatten().flat_map(arrays_in).collect();
    let filters = ["Filter", "Join Filter"].iter().filter_map(|name| plan[name].as_str());
    found.extend(filters.filter(|filter| filter.contains("id = ANY ($")).map(str::to_owned));
    found
}

/// The rows read of each table, for messages.
fn by_table(scans: &[Scan]) -> BTreeMap<String, f64> {
    let mut tables = BTreeMap::new();
    for scan in scans {
        *tables.entry(format!("{} of {}", scan.kind, scan.table)).or_default() += scan.rows;
    }
    tables
}

#[test]
fn a_plan_is_found_in_the_log_with_the_rows_that_were_thrown_away_or_sorted() {
    let log = "2026 [1] LOG:  duration: 0.1 ms  plan:\n\t{\n\t  \"Plan\": {\"Node Type\": \"Limit\", \"Plans\": [\n\t  \
               {\"Node Type\": \"Sort\", \"Actual Rows\": 1.00, \"Actual Loops\": 1, \"Plans\": [\n\t  \
               {\"Node Type\": \"Seq Scan\", \"Relation Name\": \"votes\", \"Actual Rows\": 2.00, \"Actual Loops\": 3, \
               \"Rows Removed by Filter\": 5}]}]}\n\t}\n2026 [1] LOG:  something else";
    let scan = Scan { kind: "Seq Scan".to_owned(), table: "votes".to_owned(), rows: 21.0 };
    let expected = Work { scans: vec![scan], sorted: 6.0, touched: 22.0, arrays: Vec::new() };
    assert_eq!(Work::of(&plans_in(log)), expected);
}
