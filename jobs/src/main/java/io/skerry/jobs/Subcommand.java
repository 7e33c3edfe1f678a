package io.skerry.jobs;

import io.skerry.jobs.run.CommandContext;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * One subcommand of {@code skerry}.
 *
 * <p>A handler runs on every rank and returns the exit code: 0 for success, 1 for a failure that it
 * has reported. An exception is reported by {@link Skerry}, on the first rank only, and ends in
 * exit code 1.
 *
 * @param name the name in the annotation of the command
 * @param handler makes what runs the subcommand
 * @param command makes what reads the arguments and passes them to a handler
 */
record Subcommand<O>(
    String name,
    Function<CommandContext, ToIntFunction<O>> handler,
    Function<ToIntFunction<O>, Object> command) {

  /** Returns the command as picocli takes it, with one of the handlers behind it. */
  Object with(Handlers handlers) {
    return command.apply(handlers.of(this));
  }

  /** Chooses the handler of each subcommand. */
  interface Handlers {
    /** Returns the handler of a subcommand. */
    <O> ToIntFunction<O> of(Subcommand<O> subcommand);
  }
}
