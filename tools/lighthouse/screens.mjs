/**
 * The measured screens. `least` is the minimum performance by form factor: portals for a desk have one for the desktop,
 * and screens for phones one for mobile. Screens with slow 3G are measured with it as well. Accessibility and best practices must be 100 everywhere.
 */
const DESK = { desktop: 95, mobile: 0 };
const HAND = { desktop: 95, mobile: 90, 'slow 3G': 0 };

export function screensOf({ clientCode, meetingId }) {
  return [
    { name: 'Admin login', path: '/admin/login', least: DESK },
    { name: 'Client login', path: '/client/login', least: DESK },
    { name: 'End users (20,000)', path: '/client/end-users', as: 'CLIENT', least: DESK },
    { name: 'Meetings (200)', path: '/client/meetings', as: 'CLIENT', least: DESK },
    { name: 'Participant portal', path: '/participant', least: HAND },
    { name: 'Participant login', path: `/participant/login/${clientCode}`, least: HAND },
    { name: "Voter's meetings", path: '/voting', as: 'END_USER', least: HAND },
    { name: 'Live voting', path: `/voting/meeting/${meetingId}`, as: 'END_USER', least: HAND },
  ];
}
