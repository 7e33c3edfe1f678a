/**
 * The {@code skerry} command: one class per subcommand, which reads its arguments into a value, and
 * {@link Commands}, which does what the value says. What a detector frame is and which of its
 * pixels are worth keeping is in {@link io.skerry.jobs.detector}. Nothing here knows how a byte is
 * laid out in a file. Start at {@link Skerry}.
 */
package io.skerry.jobs;
