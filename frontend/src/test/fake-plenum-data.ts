import { HttpResponse } from 'msw';
import type { Role } from '../api/types';

export type Fields = Record<string, unknown>;

export interface Person {
  role: Role;
  id: string;
  clientId: string | null;
}

/** A request as the fake server receives it. */
export interface FakeCall {
  method: string;
  /** Below `/api`. */
  path: string;
  query: URLSearchParams;
  body: Fields;
  /** The owner of a valid token; null without one. */
  person: Person | null;
}

export interface Client {
  id: string;
  name: string;
  clientCode: string;
  admin: { id: string; email: string; password: string };
}

export interface EndUser {
  id: string;
  clientId: string;
  name: string;
  username: string;
  password: string;
  weight: number;
  address: string | null;
}

export interface Meeting {
  id: string;
  clientId: string;
  title: string;
  status: string;
  participants: string[];
  current: string | null;
}

export interface Question {
  id: string;
  meetingId: string;
  questionText: string;
  questionType: string;
  options: string[];
  countsHeads?: boolean;
}

export interface Round {
  id: string;
  meetingId: string;
  questionId: string;
  isOpen: boolean;
}

export interface Vote {
  id: string;
  roundId: string;
  voterId: string;
  answers: string[];
}

export const json = (status: number, body: unknown) => HttpResponse.json(body as object, { status });
export const refusal = (status: number, code: string) =>
  json(status, { error: `${code}.`, message: `${code}.`, code });
export const missing = (code = 'not_found') => refusal(404, code);
export const invalid = () => refusal(422, 'invalid_input');
export const page = <T>(rows: T[]) =>
  json(200, { success: true, data: rows, meta: { page: 1, pageSize: 200, total: rows.length } });
