/** For a notice in the place of a ballot: without this, the keyboard's focus is lost with the button that was pressed. */
export function focusHeading(notice: HTMLElement | null) {
  const heading = notice?.querySelector('h2');
  if (heading && document.activeElement === document.body) {
    heading.tabIndex = -1;
    heading.focus();
  }
}
