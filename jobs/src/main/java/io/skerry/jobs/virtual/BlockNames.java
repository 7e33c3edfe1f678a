package io.skerry.jobs.virtual;

import io.skerry.VirtualSource;
import io.skerry.jobs.argument.ObjectArgument;
import io.skerry.jobs.run.JobException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names of sources, one for each block: {@code %b} is the number of the block, from 0, and
 * {@code %%} a percent sign.
 *
 * @param pattern the file and the path of the dataset
 */
record BlockNames(ObjectArgument pattern) {
  BlockNames {
    if (!isPerBlock(pattern.file().toString()) && !isPerBlock(pattern.path())) {
      throw new JobException(
          "a pattern needs %%b: source=%s:%s".formatted(pattern.file(), pattern.path()));
    }
  }

  private static boolean isPerBlock(String name) {
    return name.replace("%%", "").contains("%b");
  }

  /**
   * Returns the source of the first block and, if the file name depends on the block, the sources
   * of the following blocks up to the first missing file.
   */
  List<ObjectArgument> existing() {
    List<ObjectArgument> found = new ArrayList<>();
    boolean manyFiles = isPerBlock(pattern.file().toString());
    ObjectArgument next = ofBlock(0);
    do {
      found.add(next);
      next = ofBlock(found.size());
    } while (manyFiles && Files.exists(next.file()));
    return found;
  }

  private ObjectArgument ofBlock(int block) {
    return new ObjectArgument(
        Path.of(name(pattern.file().toString(), "" + block)), name(pattern.path(), "" + block));
  }

  private static String name(String text, String block) {
    return text.replace("%%", "\0").replace("%b", block).replace('\0', '%');
  }

  /**
   * Returns the file of a name without {@code %b}. For a name with {@code %b}, returns the given
   * file if it is the file of a block, otherwise empty.
   */
  static Optional<Path> file(Path name, Path given) {
    String text = name.toString();
    if (!isPerBlock(text)) {
      return Optional.of(Path.of(name(text, "")));
    }
    String number = "\1";
    String regex =
        Arrays.stream(normal(Path.of(name(text, number))).split(number, -1))
            .map(Pattern::quote)
            .collect(Collectors.joining("[0-9]+"));
    return normal(given).matches(regex) ? Optional.of(given) : Optional.empty();
  }

  private static String normal(Path path) {
    return path.toAbsolutePath().normalize().toString();
  }

  /** Returns the sources of all blocks, with the file name relative to a folder. */
  VirtualSource from(Path folder) {
    return VirtualSource.of(
        SourceDataset.relative(folder, pattern.file()).toString(), pattern.path());
  }
}
