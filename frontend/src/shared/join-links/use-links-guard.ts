import { use, useLayoutEffect } from 'react';
import { countOf } from '../format';
import type { LossQuestion } from '../ui/loss-question';
import { PanelContext } from '../ui/panel-context';

/** What leaving loses: links that are being made, or this number of links that nobody has kept yet. */
export type LinksLoss = 'running' | number;

/** Makes the panel around ask before links are lost that the server returns only once. */
export function useLinksGuard(loss: LinksLoss): void {
  const { reportDirty } = use(PanelContext);
  // Before the next browser event, which may be "back".
  useLayoutEffect(() => {
    reportDirty(loss !== 0, questionAbout(loss));
    return () => reportDirty(false);
  }, [reportDirty, loss]);
}

/** The question before links are lost. */
export function questionAbout(loss: LinksLoss): LossQuestion {
  if (loss === 'running') {
    return {
      title: 'Leave while links are being made?',
      text: 'The new links replace the earlier ones all the same, but are then never shown.',
      confirmLabel: 'Leave all the same',
      cancelLabel: 'Stay here',
    };
  }
  const them = loss === 1 ? 'it' : 'them';
  return {
    title: `Leave without the ${loss === 1 ? 'link' : 'links'}?`,
    text: `${countOf(loss, 'personal link')} cannot be shown again. Print or download ${them} first.`,
    confirmLabel: `Leave without ${them}`,
    cancelLabel: 'Stay here',
  };
}
