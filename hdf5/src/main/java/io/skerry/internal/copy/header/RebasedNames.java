package io.skerry.internal.copy.header;

import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.format.vds.NamePattern;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.internal.file.NativeFile;
import io.skerry.parallel.UntrustedFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Changes the names of source files so that, when resolved from the folder of a copy, they refer to
 * the same files as before. Local.
 *
 * @param folder the folder of the copy
 * @param own the treatment of mappings to the file of the virtual dataset itself
 */
public record RebasedNames(Path folder, Own own) {
  /** The treatment of mappings to the file of the virtual dataset itself. */
  public enum Own {
    /** The mappings refer to the file of the copy, which contains copies of the sources. */
    KEPT,
    /** The mappings name the original file. */
    NAMED
  }

  /** Returns the mappings with changed source file names. */
  VirtualMappings rebased(VirtualMappings mappings, NativeFile from) {
    Map<NamePattern, NamePattern> names = new HashMap<>();
    List<VirtualMapping> changed = new ArrayList<>(mappings.size());
    for (VirtualMapping mapping : mappings.entries()) {
      NamePattern name = names.computeIfAbsent(mapping.file(), _ -> rebased(mapping, from));
      changed.add(new VirtualMapping(name, mapping.dataset(), mapping.source(), mapping.virtual()));
    }
    return new VirtualMappings(changed);
  }

  private NamePattern rebased(VirtualMapping mapping, NativeFile from) {
    String name = mapping.file().name(0);
    if (name.equals(VirtualMapping.SAME_FILE) || from.collective().others().isItself(name)) {
      return own == Own.KEPT
          ? new NamePattern(VirtualMapping.SAME_FILE)
          : new NamePattern(escaped(relative(real(from.path().toAbsolutePath()))));
    }
    Path text = Path.of(mapping.file().text());
    Path beside = Objects.requireNonNull(from.path().toAbsolutePath().getParent(), "folder");
    Optional<Path> found = locate(mapping, from);
    if (text.isAbsolute()) {
      return found.isEmpty() || found.get().equals(Path.of(name))
          ? mapping.file()
          : pattern(parent(found.get()), last(text));
    }
    if (found.isEmpty() || found.get().equals(beside.resolve(name).normalize())) {
      return pattern(beside, text);
    }
    return found.get().endsWith(name)
        ? pattern(up(found.get(), Path.of(name).getNameCount()), text)
        : pattern(parent(found.get()), last(text));
  }

  /** Returns the file of the first source; empty if there is none, or if the policy refuses it. */
  private static Optional<Path> locate(VirtualMapping mapping, NativeFile from) {
    try {
      return from.sources()
          .locate(mapping, 0, from.path().toString())
          .map(Found::named)
          .map(Path::toAbsolutePath)
          .map(Path::normalize);
    } catch (UntrustedFileException e) {
      return Optional.empty();
    }
  }

  private static Path up(Path path, int levels) {
    Path at = path;
    for (int i = 0; i < levels; i++) {
      at = parent(at);
    }
    return at;
  }

  private static Path parent(Path path) {
    return Objects.requireNonNullElse(path.getParent(), path);
  }

  private static Path last(Path path) {
    return Objects.requireNonNullElse(path.getFileName(), path);
  }

  /**
   * Returns a pattern for a name in the given folder, relative to the folder of the copy. Leading
   * {@code .} and {@code ..} components of the name are resolved first.
   */
  private NamePattern pattern(Path in, Path text) {
    Path at = real(in);
    Path rest = text;
    while (rest.getNameCount() > 1 && (rest.startsWith("..") || rest.startsWith("."))) {
      at = rest.startsWith("..") ? parent(at) : at;
      rest = rest.subpath(1, rest.getNameCount());
    }
    String prefix = escaped(relative(at));
    return new NamePattern(prefix.isEmpty() ? rest.toString() : prefix + "/" + rest);
  }

  private String relative(Path real) {
    return real(folder.toAbsolutePath()).relativize(real).toString();
  }

  /** Returns the real path of an existing folder or file. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }

  private static String escaped(String name) {
    return name.replace("%", "%%");
  }
}
