import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrap, unwrapNothing } from '../../api/client';
import type { AdmitBody, CastingVoteBody, ExcludeBody, Exclusion, Round } from '../../api/types';
import type { TieDecisionBody } from '../../shared/elections/election-types';
import { reloadAfterAttempt, reloadAfterSuccess } from '../../shared/reload';
import { resultQueries } from '../../shared/result/queries';
import { reasonRequestOf } from '../../shared/ui/password-reason';
import { toast } from '../../shared/ui/toast';
import { meetingQueries } from '../meetings/queries';
import { questionQueries } from '../questions/queries';
import { exclusionQueries, invitationQueries, letter, roundQueries } from './queries';

export function useInvitationLink(meetingId: string) {
  return useMutation({
    mutationFn: () =>
      unwrap(api.POST('/client/meetings/{meetingId}/generate-link', { params: { path: { meetingId } } })),
    onError: (error) => toast.failure(error, 'Failed to generate invitation link'),
  });
}

/** The recipients of invitations: everybody without one, or one person, who may have received one already. */
type Addressees = 'everybody' | { endUserId: string; again: boolean };

interface Letters {
  to: Addressees;
  /** Whether each contains a personal link. */
  links: { personalLinks?: boolean; passwordReason?: string };
}

export function useSendInvitations(meetingId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ to, links }: Letters) =>
      unwrap(
        api.POST('/client/meetings/{meetingId}/invitations/send', {
          params: { path: { meetingId } },
          body: {
            ...letter(),
            ...links,
            ...(to === 'everybody' ? {} : { endUserIds: [to.endUserId], again: to.again }),
          },
        }),
      ),
    onError: (error) => {
      // The dialog asks for the reason itself.
      if (reasonRequestOf(error) === null) {
        toast.failure(error, 'Failed to send invitations');
      }
    },
    onSettled: reloadAfterAttempt(() =>
      queryClient.invalidateQueries({ queryKey: invitationQueries.ofMeeting(meetingId) }),
    ),
  });
}

export function useStopInvitations(meetingId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.DELETE('/client/meetings/{meetingId}/invitations/pending', { params: { path: { meetingId } } }),
      ),
    onError: (error) => toast.failure(error, 'Failed to stop sending'),
    onSettled: reloadAfterAttempt(() =>
      queryClient.invalidateQueries({ queryKey: invitationQueries.ofMeeting(meetingId) }),
    ),
  });
}

/** The register of a round and the exclusions from a question change each other's lists. */
function refreshRegister(queryClient: QueryClient, meetingId: string): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: roundQueries.ofMeeting(meetingId).queryKey }),
    queryClient.invalidateQueries({ queryKey: exclusionQueries.all(meetingId) }),
    queryClient.invalidateQueries({ queryKey: resultQueries.all(meetingId) }),
  ]);
}

/** Admits a person to an open round. The form shows the error itself. */
export function useAdmit(meetingId: string, roundId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: AdmitBody) =>
      unwrap(
        api.POST('/client/meetings/{meetingId}/rounds/{roundId}/admissions', {
          params: { path: { meetingId, roundId } },
          body,
        }),
      ),
    onSuccess: ({ person }) => toast.success(`${person?.name ?? 'The latecomer'} can vote now`),
    onSettled: reloadAfterAttempt(() => refreshRegister(queryClient, meetingId)),
  });
}

/** Excludes a person from one question. The form shows the error itself. */
export function useExclude(meetingId: string, questionId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: ExcludeBody) =>
      unwrap(
        api.POST('/client/meetings/{meetingId}/questions/{questionId}/exclusions', {
          params: { path: { meetingId, questionId } },
          body,
        }),
      ),
    onSuccess: ({ name }) => toast.success(`${name} is excluded from this question`),
    onSettled: reloadAfterAttempt(() => refreshRegister(queryClient, meetingId)),
  });
}

/** Lifts an exclusion. The person's row shows the error itself. */
export function useLiftExclusion(meetingId: string, questionId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ endUserId }: Pick<Exclusion, 'endUserId' | 'name'>) =>
      unwrapNothing(
        api.DELETE('/client/meetings/{meetingId}/questions/{questionId}/exclusions/{endUserId}', {
          params: { path: { meetingId, questionId, endUserId } },
        }),
      ),
    onSuccess: (_nothing, { name }) => toast.success(`The exclusion of ${name} is lifted`),
    onSettled: reloadAfterAttempt(() => refreshRegister(queryClient, meetingId)),
  });
}

/** Decides the open tie of an election. The card shows the error itself. */
export function useDecideTie(meetingId: string, round: Round) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: TieDecisionBody) =>
      unwrap(
        api.POST('/client/meetings/{meetingId}/rounds/{roundId}/tie-decisions', {
          params: { path: { meetingId, roundId: round.id } },
          body,
        }),
      ),
    onSuccess: (result) => queryClient.setQueryData(resultQueries.result(meetingId, round).queryKey, result),
    // After a conflict, somebody else has decided it: the result shows that.
    onSettled: reloadAfterAttempt(() =>
      queryClient.invalidateQueries({ queryKey: resultQueries.all(meetingId) }),
    ),
  });
}

/** Calls a meeting a second time, or takes that back. */
export function useSetSecondCall(meetingId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (isSecondCall: boolean) =>
      unwrap(
        api.PUT('/client/meetings/{meetingId}', { params: { path: { meetingId } }, body: { isSecondCall } }),
      ),
    onError: (error) => toast.failure(error, 'The call could not be changed'),
    onSettled: reloadAfterAttempt(() =>
      queryClient.invalidateQueries({ queryKey: meetingQueries.detail(meetingId).queryKey }),
    ),
  });
}

/** Notes the casting vote on a tie. The card shows the error itself. */
export function useNoteCastingVote(meetingId: string, round: Round) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: CastingVoteBody) =>
      unwrap(
        api.POST('/client/meetings/{meetingId}/rounds/{roundId}/casting-vote', {
          params: { path: { meetingId, roundId: round.id } },
          body,
        }),
      ),
    onSuccess: (result) => queryClient.setQueryData(resultQueries.result(meetingId, round).queryKey, result),
    // After a conflict, somebody else has noted it: the result shows that.
    onSettled: reloadAfterAttempt(() =>
      queryClient.invalidateQueries({ queryKey: resultQueries.all(meetingId) }),
    ),
  });
}

/** Adds the next ballot of an election to the agenda. The card shows the error itself. */
export function useAddNextBallot(meetingId: string, roundId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/client/meetings/{meetingId}/rounds/{roundId}/next-ballot', {
          params: { path: { meetingId, roundId } },
        }),
      ),
    onSuccess: ({ orderIndex }) => toast.success(`The next ballot is question ${orderIndex}`),
    // After a conflict, somebody else has added it: the agenda shows that.
    onSettled: reloadAfterAttempt(() => queryClient.invalidateQueries({ queryKey: questionQueries.all() })),
  });
}

/** Counts every vote of a question as one. The dialog reports the error. */
export function useCountByHeads() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (questionId: string) =>
      unwrap(
        api.PUT('/client/questions/{questionId}', {
          params: { path: { questionId } },
          body: { countsHeads: true },
        }),
      ),
    onSuccess: reloadAfterSuccess(() => queryClient.invalidateQueries({ queryKey: questionQueries.all() })),
  });
}
