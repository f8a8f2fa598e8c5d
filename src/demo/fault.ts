/** What can go wrong with an answer. `afterPieces`: how many pieces of the reply (deltas) are sent before. */
export type Fault =
  /** An HTTP error in place of the reply; 429 and 529 may say how long to wait. */
  | { kind: "status"; status: number; message?: string; retryAfterSeconds?: number }
  /** The connection closes without an answer. */
  | { kind: "hang_up" }
  /** The connection breaks in the middle. */
  | { kind: "cut"; afterPieces: number }
  /** An `error` event comes in the middle. */
  | { kind: "error_event"; afterPieces: number; type?: string; message?: string }
  /** Nothing more comes, until the client goes away. */
  | { kind: "stall"; afterPieces: number }
  /** The reply ends with `max_tokens`; a tool call may be cut in the middle of its input. */
  | { kind: "max_tokens"; afterPieces: number }
  /** The reply ends with `refusal`. */
  | { kind: "refusal"; afterPieces: number; explanation?: string }
  /** The first byte comes late. */
  | { kind: "slow"; ms: number };
