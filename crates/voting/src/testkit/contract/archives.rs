//! The contract of [`crate::Archives`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::{TimeDelta, TimeZone as _, Utc};
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{ArchiveId, MeetingId, PageRequest};

use super::VotingFixture;
use crate::ImportedArchive;

/// An archive that was imported this many minutes after the others.
fn archive(ids: &CountingIds, title: &str, minutes: i64) -> ImportedArchive {
    let at = Utc.with_ymd_and_hms(2026, 11, 21, 18, 0, 0).single().expect("it is a time");
    let id = ArchiveId::new(ids);
    ImportedArchive {
        id,
        hash: format!("{0}{0}", id.as_uuid().simple()),
        organization_id: MeetingId::new(ids).as_uuid(),
        organization: "Rowing club".to_owned(),
        meeting: MeetingId::new(ids),
        title: title.to_owned(),
        scheduled_start: None,
        rounds: 3,
        key: "0".repeat(64),
        is_origin_known: false,
        archived_at: at,
        imported_at: at + TimeDelta::minutes(minutes),
    }
}

const PAGE: PageRequest = PageRequest { page: 1, page_size: 2 };

pub async fn an_imported_archive_is_read_as_it_was(fixture: &dyn VotingFixture) {
    let (store, ids) = (fixture.archives(), CountingIds::new());
    let kept = archive(&ids, "Annual meeting", 0);
    assert!(store.keep(kept.clone(), b"{ \"a\": 1 }".to_vec()).await.expect("the store answers"));
    let page = store.list(PAGE).await.expect("the store answers");
    assert_eq!((page.rows, page.total), (vec![kept.clone()], 1));
    let content = async |id| store.content(id).await.expect("the store answers");
    assert_eq!(content(kept.id).await.as_deref(), Some(&b"{ \"a\": 1 }"[..]));
    assert_eq!(content(ArchiveId::new(&ids)).await, None);
}

pub async fn a_repeated_import_is_the_same_archive(fixture: &dyn VotingFixture) {
    let (store, ids) = (fixture.archives(), CountingIds::new());
    let first = archive(&ids, "Annual meeting", 0);
    assert!(store.keep(first.clone(), b"once".to_vec()).await.expect("the store answers"));
    let again = ImportedArchive { imported_at: first.imported_at + TimeDelta::days(1), ..first.clone() };
    assert!(!store.keep(again, b"twice".to_vec()).await.expect("the store answers"));
    assert_eq!(store.list(PAGE).await.expect("the store answers").rows, std::slice::from_ref(&first));
    assert_eq!(store.content(first.id).await.expect("the store answers").as_deref(), Some(&b"once"[..]));
}

pub async fn archives_come_in_pages_the_latest_import_first(fixture: &dyn VotingFixture) {
    let (store, ids) = (fixture.archives(), CountingIds::new());
    for (title, minutes) in [("A", 1), ("B", 3), ("C", 2)] {
        store.keep(archive(&ids, title, minutes), Vec::new()).await.expect("the store answers");
    }
    let titles = async |page| {
        let page = store.list(PageRequest { page, ..PAGE }).await.expect("the store answers");
        (page.rows.into_iter().map(|archive| archive.title).collect::<Vec<_>>(), page.total)
    };
    assert_eq!(titles(1).await, (vec!["B".to_owned(), "C".to_owned()], 3));
    assert_eq!(titles(2).await, (vec!["A".to_owned()], 3));
}

pub async fn an_archive_is_removed_once(fixture: &dyn VotingFixture) {
    let (store, ids) = (fixture.archives(), CountingIds::new());
    let (gone, kept) = (archive(&ids, "A", 1), archive(&ids, "B", 2));
    for archive in [&gone, &kept] {
        store.keep(archive.clone(), Vec::new()).await.expect("the store answers");
    }
    for is_removed in [true, false] {
        assert_eq!(store.remove(gone.id).await.expect("the store answers"), is_removed);
    }
    assert_eq!(store.list(PAGE).await.expect("the store answers").rows, [kept]);
}
