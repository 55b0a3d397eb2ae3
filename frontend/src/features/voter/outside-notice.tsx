import { Notice } from './notice';

/** A question that is open, and not for this voter. With groups it says for whom it is. */
export function OutsideNotice({ groups }: { groups: string[] }) {
  return (
    <Notice tone="info" title="You cannot vote on this question">
      <p dir="auto">
        {groups.length > 0
          ? `This question is for: ${groups.join(', ')}. If you think you should vote, speak to the organizer.`
          : 'You do not take part in this question. If you think you should, speak to the organizer.'}
      </p>
    </Notice>
  );
}
