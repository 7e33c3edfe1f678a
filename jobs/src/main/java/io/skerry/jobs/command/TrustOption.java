package io.skerry.jobs.command;

import io.skerry.parallel.Trust;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option of every command that opens HDF5 files: which other files these may name. */
@SuppressWarnings("UnusedVariable") // picocli writes the fields
final class TrustOption {
  @Option(
      names = "--trust",
      paramLabel = "all|same-folder|none",
      converter = Spelling.class,
      description = {
        "Which other files an input may name by external links, virtual datasets and external data",
        "(default: same-folder, those in its folder and below)."
      })
  private Trust trust = Trust.SAME_FOLDER;

  /** The policy asked for. */
  Trust trust() {
    return trust;
  }

  /** Reads a policy as it is typed. */
  static final class Spelling implements ITypeConverter<Trust> {
    @Override
    public Trust convert(String text) {
      List<Trust> all = List.of(Trust.values());
      return all.stream()
          .filter(each -> each.spelling().equals(text))
          .findFirst()
          .orElseThrow(() ->
              new TypeConversionException(
                  "'%s' is none of %s"
                      .formatted(
                          text,
                          Arrays.stream(Trust.values())
                              .map(Trust::spelling)
                              .collect(Collectors.joining(", ")))));
    }
  }
}
