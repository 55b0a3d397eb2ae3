use crate::{InvitationFacts, SiteAddress, TimeZone};

/// The text of an invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationText {
    /// One line.
    pub subject: String,
    /// Plain text, with `\n` at the end of each line.
    pub text: String,
}

/// The recipient of an invitation.
#[derive(Clone, Copy, Debug)]
pub struct Addressee<'a> {
    /// The full name.
    pub name: &'a str,
    /// The username.
    pub username: &'a str,
    /// The personal link, if the invitation contains one.
    pub personal_link: Option<&'a str>,
    /// The check-in code, if the meeting has check-in.
    pub check_in_code: Option<&'a str>,
}

/// Writes an invitation, for one recipient or to pass on to everybody. It never contains a password.
pub fn write_invitation(
    facts: &InvitationFacts,
    link: &str,
    time_zone: TimeZone,
    addressee: Option<Addressee<'_>>,
) -> InvitationText {
    let organization = one_line(&facts.organization);
    let title = one_line(&facts.title);
    let greeting = match addressee {
        Some(addressee) => format!("Hello {},", one_line(addressee.name)),
        None => "Hello,".to_owned(),
    };
    let username = match addressee {
        Some(addressee) => format!("  Username: {}\n", one_line(addressee.username)),
        None => "  Username: the one you were given\n".to_owned(),
    };
    let entry = match addressee.and_then(|addressee| addressee.personal_link) {
        Some(personal) => format!(
            "Your personal link: {personal}\n\
             \n\
             The link is for you alone: anybody who has it can vote in your name. Please do not pass it on, and do\n\
             not forward this message.\n\
             \n\
             Without it, join here: {link}\n"
        ),
        None => format!("Join here: {link}\n"),
    };
    let check_in = addressee.and_then(|addressee| addressee.check_in_code).map_or_else(String::new, |code| {
        format!(
            "\n\
             Please check in when you come, and check out when you go. Show the attached QR code at the desk, on your\n\
             phone or on paper. The desk also finds you by your name, your username, or this check-in code:\n\
             \x20 {code}\n"
        )
    });
    let text = format!(
        "{greeting}\n\
         \n\
         {organization} invites you to vote in the meeting \"{title}\".\n\
         \n\
         Planned start: {start}\n\
         {entry}\
         \n\
         To sign in{with} you need:\n\
         \x20 Organization code: {code}\n\
         {username}\
         \x20 Password: the one you were given\n\
         {check_in}\
         \n\
         If you have no password, or something does not work, please ask {organization}: {contact}\n",
        with = if addressee.is_some_and(|addressee| addressee.personal_link.is_some()) { " there" } else { "" },
        start = time_zone.describe(facts.start),
        code = one_line(&facts.client_code),
        contact = one_line(&facts.contact_email),
    );
    InvitationText { subject: format!("Invitation: {title} ({organization})"), text }
}

/// The link in invitations. `None` while the meeting has no link, and after its end.
pub fn link_of(facts: &InvitationFacts, site: &SiteAddress) -> Option<String> {
    facts.link.as_deref().filter(|_| facts.status.link_is_good()).map(|token| site.invitation_link(token))
}

/// The text on one line, so that a name or title cannot begin another line or header.
pub(crate) fn one_line(text: &str) -> String {
    let is_break =
        |letter: char| letter.is_whitespace() || letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
    text.split(is_break).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MeetingStatus;

    fn facts() -> InvitationFacts {
        InvitationFacts {
            organization: "Rowing Club".to_owned(),
            client_code: "rowing-club".to_owned(),
            contact_email: "board@rowing.example".to_owned(),
            title: "General assembly".to_owned(),
            start: "2026-11-21T18:00:00Z".parse().unwrap(),
            status: MeetingStatus::Scheduled,
            link: Some("q3Zr8".to_owned()),
            has_check_in: false,
        }
    }

    const LINK: &str = "https://vote.example.org/vote/q3Zr8";

    #[test]
    fn an_invitation_has_the_organization_meeting_time_link_and_sign_in() {
        let berlin = TimeZone::parse("Europe/Berlin").unwrap();
        let anna = Addressee { name: "Anna Berg", username: "anna", personal_link: None, check_in_code: None };
        let written = write_invitation(&facts(), LINK, berlin, Some(anna));
        assert_eq!(written.subject, "Invitation: General assembly (Rowing Club)");
        assert_eq!(
            written.text,
            "Hello Anna Berg,\n\
             \n\
             Rowing Club invites you to vote in the meeting \"General assembly\".\n\
             \n\
             Planned start: Saturday, 21 November 2026, 19:00 (Europe/Berlin, UTC+01:00)\n\
             Join here: https://vote.example.org/vote/q3Zr8\n\
             \n\
             To sign in you need:\n\
             \x20 Organization code: rowing-club\n\
             \x20 Username: anna\n\
             \x20 Password: the one you were given\n\
             \n\
             If you have no password, or something does not work, please ask Rowing Club: board@rowing.example\n"
        );
    }

    #[test]
    fn a_personal_link_comes_first_and_is_not_to_be_passed_on() {
        let link = "https://vote.example.org/join#Jh3vN";
        let anna = Addressee { name: "Anna Berg", username: "anna", personal_link: Some(link), check_in_code: None };
        let written = write_invitation(&facts(), LINK, TimeZone::UTC, Some(anna));
        let wanted = "Your personal link: https://vote.example.org/join#Jh3vN\n\
             \n\
             The link is for you alone: anybody who has it can vote in your name. Please do not pass it on, and do\n\
             not forward this message.\n\
             \n\
             Without it, join here: https://vote.example.org/vote/q3Zr8\n\
             \n\
             To sign in there you need:\n\
             \x20 Organization code: rowing-club\n";
        assert!(written.text.contains(wanted), "{}", written.text);
    }

    #[test]
    fn with_check_in_the_invitation_has_the_code_for_the_desk() {
        let code = "PLENUM-IN:019A9D5E000070008000000000000003";
        let anna = Addressee { name: "Anna Berg", username: "anna", personal_link: None, check_in_code: Some(code) };
        let written = write_invitation(&facts(), LINK, TimeZone::UTC, Some(anna));
        let wanted = "Password: the one you were given\n\
             \n\
             Please check in when you come, and check out when you go. Show the attached QR code at the desk, on your\n\
             phone or on paper. The desk also finds you by your name, your username, or this check-in code:\n\
             \x20 PLENUM-IN:019A9D5E000070008000000000000003\n\
             \n\
             If you have no password";
        assert!(written.text.contains(wanted), "{}", written.text);
    }

    #[test]
    fn the_text_to_copy_names_no_recipient() {
        let written = write_invitation(&facts(), LINK, TimeZone::UTC, None);
        assert!(written.text.starts_with("Hello,\n"), "{}", written.text);
        assert!(written.text.contains("Username: the one you were given\n"), "{}", written.text);
        assert!(written.text.contains("18:00 UTC\n"), "{}", written.text);
    }

    #[test]
    fn no_name_or_title_begins_a_line_or_header() {
        let evil = "A\r\nBcc: all@example.org\n\n\u{2028}B\u{0}\u{85}C";
        let facts = InvitationFacts {
            organization: evil.to_owned(),
            client_code: evil.to_owned(),
            contact_email: evil.to_owned(),
            title: evil.to_owned(),
            ..facts()
        };
        let plain = write_invitation(
            &self::facts(),
            LINK,
            TimeZone::UTC,
            Some(Addressee { name: "A", username: "a", personal_link: None, check_in_code: None }),
        );
        let written = write_invitation(
            &facts,
            LINK,
            TimeZone::UTC,
            Some(Addressee { name: evil, username: evil, personal_link: None, check_in_code: None }),
        );
        assert!(!written.subject.contains(char::is_control), "{:?}", written.subject);
        assert!(written.subject.starts_with("Invitation: A Bcc: all@example.org B C"), "{}", written.subject);
        assert_eq!(written.text.lines().count(), plain.text.lines().count(), "{}", written.text);
        assert!(!written.text.chars().any(|letter| letter.is_control() && letter != '\n'), "{:?}", written.text);
    }

    #[test]
    fn a_meeting_that_is_over_has_no_link() {
        let site = SiteAddress::new("https://vote.example.org", "").unwrap();
        assert_eq!(link_of(&facts(), &site).as_deref(), Some(LINK));
        assert_eq!(link_of(&InvitationFacts { link: None, ..facts() }, &site), None);
        for status in [MeetingStatus::Completed, MeetingStatus::Cancelled] {
            assert_eq!(link_of(&InvitationFacts { status, ..facts() }, &site), None);
        }
    }
}
