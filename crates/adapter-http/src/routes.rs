use crate::registration::Routes;
use crate::{
    accounts, activity, audit, auth, branding, check_in, clients, desk, diagnostics, end_users, groups, join_links,
    live, meetings, paper_votes, proxies, public, questions, reports, results, sessions, system, voting, weight_kinds,
};

/// All operations of the API, relative to its base path. The router tries them in this order, so the most frequent
/// calls of an assembly are first.
pub(crate) fn api_routes(config: &mut Routes<'_, '_>) {
    voting::routes(config);
    proxies::routes(config);
    live::routes(config);
    auth::routes(config);
    public::routes(config);
    clients::routes(config);
    branding::routes(config);
    accounts::routes(config);
    sessions::routes(config);
    activity::routes(config);
    reports::routes(config);
    end_users::routes(config);
    groups::routes(config);
    weight_kinds::routes(config);
    join_links::routes(config);
    desk::routes(config);
    check_in::routes(config);
    paper_votes::routes(config);
    meetings::routes(config);
    results::routes(config);
    questions::routes(config);
    system::routes(config);
    diagnostics::routes(config);
    audit::routes(config);
}
