/** The server's answer, with any status: each test decides which status is right. */
export interface Answer {
  /** The call, for messages: "POST /clients". */
  call: string;
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, otherwise the text; undefined without a body. */
  body: unknown;
  /** From sending the request to having read the answer, in milliseconds. */
  ms: number;
}

/** The stable code of an error, if the answer has one. */
export function codeOf(answer: Answer): string | undefined {
  return (answer.body as { code?: string } | undefined)?.code;
}

/** The server's message about an error, to append to a sentence; empty without one. */
export function sentenceOf(answer: Answer): string {
  const text = (answer.body as { error?: string } | undefined)?.error;
  return text ? `: ${text}` : '';
}
