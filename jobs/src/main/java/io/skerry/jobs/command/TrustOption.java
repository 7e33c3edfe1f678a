package io.skerry.jobs.command;

import io.skerry.parallel.Trust;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The {@code --trust} option: the policy for other files to which an input file refers. */
@SuppressWarnings("UnusedVariable") // picocli writes the fields
final class TrustOption {
  @Option(
      names = "--trust",
      paramLabel = "all|same-folder|none",
      converter = Spelling.class,
      description = {
        "Other files to which an input may refer by external links, virtual datasets and external",
        "storage (default: same-folder, the files in its folder and below)."
      })
  private Trust trust = Trust.SAME_FOLDER;

  /** Returns the policy that was given, or the default. */
  Trust trust() {
    return trust;
  }

  /** Parses a policy. */
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
