package io.skerry.jobs.virtual;

import io.skerry.DatasetSpec;
import io.skerry.jobs.argument.ObjectArgument;
import io.skerry.jobs.file.OutputFile;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Creates a file with a virtual dataset over datasets of other files. Runs on one rank. */
final class VirtualJob {
  private final VirtualOptions options;

  VirtualJob(VirtualOptions options) {
    this.options = options;
  }

  /** Runs the job and returns its report. */
  Json.Members run(Communicator world) {
    Path out = options.out().file();
    return switch (options.arrangement()) {
      case STACK -> create(world, sources(), Composition::stacked);
      case CONCAT -> create(world, sources(), all -> all.concatenated(options.axis()));
      case TILE -> create(world, sources(), all -> all.tiled(options.grid()));
      case PATTERN -> {
        BlockNames names = new BlockNames(ObjectArgument.parse("source", one()));
        yield create(world, names.existing(), all -> all.perBlock(names));
      }
      case LIST -> {
        MappingList list = MappingList.read(Path.of(one()));
        yield create(world, list.files(folder(out), out), list.spec());
      }
    };
  }

  private String one() {
    if (options.sources().size() != 1) {
      throw new JobException(
          "a %s has one source argument: expected=1 actual=%d"
              .formatted(options.arrangement(), options.sources().size()));
    }
    return options.sources().getFirst();
  }

  private List<ObjectArgument> sources() {
    return SourceNames.expand(options.sources());
  }

  /**
   * Creates the file with a dataset that is composed of sources; each source is opened once, before
   * the file is created.
   */
  private Json.Members create(
      Communicator world,
      List<ObjectArgument> sources,
      Function<Composition, DatasetSpec> arrangement) {
    Composition all =
        new Composition(
            folder(options.out().file()),
            sources.stream().map(place -> SourceDataset.open(place, options.trust())).toList());
    return create(world, sources, arrangement.apply(all));
  }

  private static Path folder(Path file) {
    return Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file);
  }

  private Json.Members create(Communicator world, List<ObjectArgument> sources, DatasetSpec spec) {
    Path out = options.out().file();
    OutputPlace place =
        new OutputPlace(
            out,
            List.of(),
            Optional.empty(),
            sources.stream().map(ObjectArgument::file).distinct().toList(),
            options.existing());
    int mappings =
        OutputFile.run(
            place,
            world,
            (ranks, made) ->
                OutputFile.create(
                    made,
                    ranks,
                    file -> {
                      var unused = file.createDataset(options.out().path(), spec);
                      return spec.virtual().orElseThrow().mappings().size();
                    }));
    return Json.object()
        .with("out", out + ":" + options.out().path())
        .with("arrangement", options.arrangement().toString())
        .with("mappings", mappings)
        .with("shape", spec.shape().toString())
        .with("type", spec.datatype().toString());
  }
}
