/** What the server answered, whatever it was: a test decides itself which status is right. */
export interface Answer {
  /** What was called, for messages: "POST /clients". */
  call: string;
  status: number;
  headers: Headers;
  /** Parsed where it is JSON, else the text; undefined without one. */
  body: unknown;
  /** From sending the request to having read the answer, in milliseconds. */
  ms: number;
}

/** The stable name of an error, where the answer has one. */
export function codeOf(answer: Answer): string | undefined {
  return (answer.body as { code?: string } | undefined)?.code;
}

/** What the server says about an error, to go behind a sentence; empty where it says nothing. */
export function sentenceOf(answer: Answer): string {
  const text = (answer.body as { error?: string } | undefined)?.error;
  return text ? `: ${text}` : '';
}
