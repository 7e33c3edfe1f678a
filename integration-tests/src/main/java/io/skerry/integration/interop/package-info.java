/**
 * Random files that Skerry writes and other programs read: the plan for each file, session by
 * session and rank by rank, and the content that the file must have in the end. The tests start the
 * programs that read the files. Start at {@link io.skerry.integration.interop.WritingPlan}.
 */
package io.skerry.integration.interop;
