package io.skerry.jobs;

import io.skerry.jobs.run.CommandContext;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * One subcommand of {@code skerry}.
 *
 * <p>A handler runs once in each process of the command and returns the exit code: 0 for success, 1
 * for a failure or a defect of the file that it has reported, 2 if MPI could not be started or no
 * rank would be left to compute. {@link Skerry} reports an exception and returns exit code 1.
 *
 * @param <O> the type of the parsed options
 * @param name the name of the subcommand, as in the annotation of its command class
 * @param handler the constructor of the handler that runs the subcommand
 * @param command the constructor of the command that parses the arguments and passes them to a
 *     handler
 */
record Subcommand<O>(
    String name,
    Function<CommandContext, ToIntFunction<O>> handler,
    Function<ToIntFunction<O>, Object> command) {

  /** Returns a command object for picocli that calls the handler chosen by {@code handlers}. */
  Object with(Handlers handlers) {
    return command.apply(handlers.of(this));
  }

  /** Chooses the handler of each subcommand. */
  interface Handlers {
    /** Returns the handler of a subcommand. */
    <O> ToIntFunction<O> of(Subcommand<O> subcommand);
  }
}
