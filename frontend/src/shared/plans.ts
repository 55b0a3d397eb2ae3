import type { SubscriptionPlan } from '../api/types';

export const plans: { value: SubscriptionPlan; label: string }[] = [
  { value: 'BASIC', label: 'Basic' },
  { value: 'PRO', label: 'Pro' },
  { value: 'ENTERPRISE', label: 'Enterprise' },
];

export function planLabel(plan: SubscriptionPlan): string {
  return plans.find(({ value }) => value === plan)?.label ?? 'Basic';
}
