package io.skerry.jobs.command;

import io.skerry.jobs.argument.OptionCheck;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.run.Ranks;
import io.skerry.spi.Connectors;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option of a command whose last ranks can serve containers. */
@SuppressWarnings("UnusedVariable") // picocli writes the fields
final class IoRankOption {
  @SuppressWarnings("NullAway.Init") // picocli sets it before it parses the arguments
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--io-ranks",
      paramLabel = "N",
      description =
          "The last N ranks only serve the container; the others compute (default: some of the ranks"
              + " do both).")
  private Optional<Integer> ioRanks = Optional.empty();

  /**
   * Returns the ranks that the command requests.
   *
   * @param parallel the option for the number of ranks
   * @param files the files of the command; the first one in a store determines the store that the
   *     I/O ranks serve
   * @throws ParameterException if the number of I/O ranks is 0 or negative, if all files are HDF5
   *     files, or if the store is not installed
   */
  Ranks ranks(RankOptions parallel, Path... files) {
    try {
      return new Ranks(parallel.ranks(), ioRanks.map(number -> service(number, files)));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private static Ranks.Service service(int number, Path... files) {
    OptionCheck.atLeastOne("io-ranks", number);
    String scheme =
        Stream.of(files)
            .flatMap(file -> InputFile.location(file).scheme().stream())
            .findFirst()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "I/O ranks serve a container, not an HDF5 file: io-ranks="
                        + number
                        + " file="
                        + files[0]));
    // Refuses a store that is not installed before the ranks start.
    var unused = Connectors.connector(scheme);
    return new Ranks.Service(number, scheme);
  }
}
