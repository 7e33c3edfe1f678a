package io.skerry.jobs.command;

import io.skerry.jobs.inspect.IodOptions;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Reads the arguments of {@code skerry iod}. */
@Command(
    name = "iod",
    description = "Print a container of objects as it is stored.",
    footer = {
      "",
      "`iod dump` prints the objects in the order of the links: the identifier and path of each",
      "object, its scratch pad with the identifiers of its metadata and attributes, the key-value",
      "pairs, and the sizes and bytes of tiles. Damage is printed where it is found, in a line that",
      "begins with an exclamation mark; `verify` finds all of it.",
      "",
      "Example: ./skerry iod dump run, for the container that other commands name iod:run"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class IodCommand implements Callable<Integer> {
  private final ToIntFunction<IodOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Parameters(index = "0", paramLabel = "ACTION", description = "dump")
  private IodOptions.Action action;

  @SuppressWarnings("NullAway.Init")
  @Parameters(index = "1", paramLabel = "PATH", description = "The folder of a container.")
  private String container;

  @Mixin private HelpOption help = new HelpOption();

  public IodCommand(ToIntFunction<IodOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    return handler.applyAsInt(new IodOptions(action, IodOptions.container(container)));
  }
}
