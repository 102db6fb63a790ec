/* Types of the questions before and after a lesson. */

/** A question, its answers, and the number of the right one, from 0. */
export interface Question {
  question: string;
  answers: string[];
  right: number;
}

export type Phase = "before" | "after";

/** The number of the chosen answer by the number of its question. */
export type Answers = Record<Phase, Record<number, number>>;
