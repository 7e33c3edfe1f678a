package io.skerry.jobs.command;

import io.skerry.jobs.argument.ObjectArgument;
import io.skerry.jobs.argument.StorageRule;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.virtual.Arrangement;
import io.skerry.jobs.virtual.VirtualOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads the arguments of {@code skerry virtual}. */
@Command(
    name = "virtual",
    description = "Create a virtual dataset over datasets of other files.",
    footer = {
      "",
      "stack    each source is an index of a new first dimension",
      "concat   the sources follow each other along --axis",
      "tile     the sources are the tiles of a --grid in their last two dimensions, row by row",
      "pattern  one source per block along the first dimension; %%b in its name is the number of"
          + " the",
      "         block, from 0, and %%%% a percent sign. The dataset grows with the number of"
          + " sources.",
      "list     the mappings of a JSON file, such as",
      "         {\"type\": \"f32\", \"shape\": [8, 100], \"maximum\": [null, 100], \"mappings\": [",
      "          {\"file\": \"a.h5\", \"dataset\": \"/d\", \"source\": {\"start\": [0], \"block\":"
          + " [100]},",
      "           \"virtual\": {\"start\": [3, 0], \"stride\": [1, 1], \"count\": [1, 1],"
          + " \"block\": [1, 100]}}]}",
      "         where null is unlimited, and a selection that is left out is all elements",
      "",
      "The name of a source file may have the wildcards * and ?, which the command expands; numbers"
          + " in",
      "names are sorted by their value. The sources are stored relative to the folder of OUT, and"
          + " their",
      "elements are not copied.",
      "",
      "Examples: ./skerry virtual stack 'run_*.h5:/entry/data' out.h5:/all",
      "          ./skerry virtual tile --grid 2x4 'panel_*.h5:/image' detector.h5:/image",
      "          ./skerry virtual pattern 'run_%%b.h5:/data' out.h5:/all"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class VirtualCommand implements Callable<Integer> {
  private final ToIntFunction<VirtualOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      index = "0",
      paramLabel = "ARRANGEMENT",
      description = "One of stack, concat, tile, pattern, list.")
  private Arrangement arrangement;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      index = "1..*",
      arity = "2..*",
      paramLabel = "PLACE",
      description = {
        "The sources, each FILE:/path, or the JSON file, and last the virtual dataset,",
        "OUT:/path, in a new file."
      })
  private List<String> places;

  @Option(
      names = "--axis",
      paramLabel = "N",
      description = "For concat: the dimension, from 0 (default: 0).")
  private int axis;

  @Option(
      names = "--grid",
      paramLabel = "RxC",
      description = "For tile: the numbers of rows and columns of tiles.")
  private Optional<String> grid = Optional.empty();

  @Option(names = "--json", description = "Report as one JSON object.")
  private boolean json;

  @Mixin private ForceOption force = new ForceOption();

  @Mixin private TrustOption trusting = new TrustOption();

  @Mixin private HelpOption help = new HelpOption();

  public VirtualCommand(ToIntFunction<VirtualOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    return handler.applyAsInt(options());
  }

  private VirtualOptions options() {
    try {
      if (arrangement != Arrangement.TILE && grid.isPresent()) {
        throw new IllegalArgumentException("only of tiles: grid=" + grid.get());
      }
      if (arrangement == Arrangement.TILE && grid.isEmpty()) {
        throw new IllegalArgumentException("tiles need --grid RxC");
      }
      if (arrangement != Arrangement.CONCAT && axis != 0) {
        throw new IllegalArgumentException("only of concat: axis=" + axis);
      }
      return new VirtualOptions(
          arrangement,
          places.subList(0, places.size() - 1),
          ObjectArgument.parse("dataset", places.getLast()),
          force.existing(),
          axis,
          grid.map(VirtualCommand::gridOf).orElse(new VirtualOptions.Grid(1, 1)),
          trusting.trust(),
          json ? ReportForm.JSON : ReportForm.TEXT);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private static VirtualOptions.Grid gridOf(String text) {
    List<Long> sizes = StorageRule.sizes(text);
    if (sizes.size() != 2 || sizes.stream().anyMatch(size -> size > 10_000)) {
      throw new IllegalArgumentException("not RxC, each at most 10000: grid=" + text);
    }
    return new VirtualOptions.Grid(sizes.get(0).intValue(), sizes.get(1).intValue());
  }
}
