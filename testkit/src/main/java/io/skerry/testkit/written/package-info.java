/**
 * Random files written by Skerry, for other programs to judge: what is to be written, session by
 * session and rank by rank, and what must be in the file in the end. Not the judges: those are
 * tests. Start with {@link io.skerry.testkit.written.WritingPlan}.
 */
package io.skerry.testkit.written;
