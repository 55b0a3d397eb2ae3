//! Data of an inactive client that is hidden.

use diesel::connection::SimpleConnection;
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{PostgresLive, PostgresMeetings};
use plenum_kernel::MeetingId;
use plenum_meetings::MeetingStore;
use plenum_meetings::live::LiveSource;
use plenum_voting::testkit::PlainRecords;
use std::sync::Arc;

const CLUB_WITH_A_MEETING: &str = "
    INSERT INTO clients VALUES
        ('00000000-0000-0000-0000-000000000001', 'Club', 'club', 'club@example.org', 'ACTIVE', 'BASIC', now());
    INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                          has_participant_list, invitation_link, created_at)
        VALUES ('00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000001', 'Meeting', 'ACTIVE',
                now(), now() + interval '1 hour', false, false, 'link', now());";

#[tokio::test]
async fn its_screens_and_its_invitation_links_lead_nowhere() {
    let database = TestDatabase::fresh().await;
    let mut conn = database.connection();
    conn.batch_execute(CLUB_WITH_A_MEETING).unwrap();
    let (live, meetings) =
        (PostgresLive::new(database.db()), PostgresMeetings::new(database.db(), Arc::new(PlainRecords)));
    let meeting: MeetingId = "00000000-0000-0000-0000-000000000002".parse().unwrap();
    for (status, is_shown) in [("ACTIVE", true), ("SUSPENDED", false), ("INACTIVE", false)] {
        conn.batch_execute(&format!("UPDATE clients SET status = '{status}'")).unwrap();
        assert_eq!(live.load(meeting).await.unwrap().is_some(), is_shown, "{status}");
        assert_eq!(meetings.find_by_link("link").await.unwrap().is_some(), is_shown, "{status}");
    }
}
