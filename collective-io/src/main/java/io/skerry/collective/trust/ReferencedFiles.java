package io.skerry.collective.trust;

import io.skerry.parallel.Trust;
import io.skerry.parallel.UntrustedFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the other files that a file names, if a {@linkplain Trust policy} allows them. The file
 * that contains the names is called the naming file. Immutable. All methods are local.
 */
public final class ReferencedFiles {
  /** The start of a folder that is relative to the folder of the naming file. */
  private static final String ORIGIN = "${ORIGIN}";

  private final Path root;
  private final Path named;
  private final Path path;
  private final Trust trust;

  /** A location in which to search for a named file. */
  public enum Place {
    /** The folder of the naming file. */
    BESIDE,
    /** The working folder of the process. */
    WORKING_FOLDER,
    /** The folder of the naming file; only the last component of the name is used. */
    BESIDE_BY_LAST_PART
  }

  /**
   * Another file that may be opened.
   *
   * @param named the path with symbolic links unresolved, against which names in the file are
   *     resolved
   * @param path the path to open: the real path, unless all files are trusted or this is the file
   *     that the caller has opened
   */
  public record Found(Path named, Path path) {}

  private ReferencedFiles(Path root, Path named, Path path, Trust trust) {
    this.root = root;
    this.named = named;
    this.path = path;
    this.trust = trust;
  }

  /** Returns an instance that finds the files named in a file that the caller has opened. */
  public static ReferencedFiles of(Path opened, Trust trust) {
    return new ReferencedFiles(opened, opened, opened, trust);
  }

  /**
   * Returns an instance that finds the files named in another file. The trusted folder remains that
   * of the file opened by the caller.
   */
  public ReferencedFiles namedBy(Found other) {
    return new ReferencedFiles(root, other.named, other.path, trust);
  }

  /** Returns the path by which the naming file is opened. */
  public Path path() {
    return path;
  }

  /** Returns the naming file itself, as a file to open. */
  public Found itself() {
    return new Found(named, path);
  }

  /** Returns whether a name is that of the naming file itself. */
  public boolean isItself(String name) {
    return path(name)
        .filter(given -> beside(given).normalize().equals(named.toAbsolutePath().normalize()))
        .isPresent();
  }

  /**
   * Searches for a file that the naming file names.
   *
   * @param name the name as stored in the naming file
   * @param object the path of the object that contains the name, for messages
   * @param places the places to search, in this order
   * @return the first regular file of that name; empty if there is no file of that name
   * @throws UntrustedFileException if the policy refuses the name or the file, or if there are
   *     files of that name but none of them is a regular file
   */
  public Optional<Found> find(String name, String object, List<Place> places) {
    return find(name, object, List.of(), places);
  }

  /**
   * Searches for a file that the naming file names, first in the given folders. An absolute name is
   * tried before the folders, in which only its last part is searched for.
   *
   * @param name the name as stored in the naming file
   * @param object the path of the object that contains the name, for messages
   * @param folders the folders to search first; {@code ${ORIGIN}} at the start denotes the folder
   *     of the naming file
   * @param places the places to search next, in this order
   * @return the first regular file of that name; empty if there is no file of that name
   * @throws UntrustedFileException under the same conditions as without folders, and if the policy
   *     refuses the file found in a folder
   */
  public Optional<Found> find(
      String name, String object, List<String> folders, List<Place> places) {
    if (trust == Trust.NONE) {
      throw refused(name, "no other file is trusted", object);
    }
    Optional<Path> given = path(name);
    if (given.isEmpty()) {
      return Optional.empty();
    }
    if (trust == Trust.SAME_FOLDER && given.get().isAbsolute()) {
      throw refused(name, "an absolute name", object);
    }
    if (!folders.isEmpty()) {
      checkName(name, beside(given.get()), object);
      Optional<Path> inFolder =
          prefixed(given.get(), folders).filter(Files::isRegularFile).findFirst();
      if (inFolder.isPresent()) {
        return inFolder.map(file -> checked(name, file, object));
      }
    }
    Optional<Path> irregular = Optional.empty();
    for (Place place : places) {
      Optional<Path> candidate = at(place, given.get());
      if (place == Place.BESIDE) {
        candidate.ifPresent(beside -> checkName(name, beside, object));
      }
      if (candidate.filter(Files::isRegularFile).isPresent()) {
        return candidate.map(file -> checked(name, file, object));
      }
      irregular = irregular.or(() -> candidate.filter(Files::exists));
    }
    if (irregular.isPresent()) {
      throw UntrustedFileException.notRegular(name, irregular.get(), object, named);
    }
    return Optional.empty();
  }

  /**
   * Returns the path at which to create a file that the naming file names. An absolute name is the
   * path itself. Any other name is resolved against the first of the given folders or, if there are
   * none, against the folder of the naming file.
   *
   * @param name the name as stored in the naming file; no file of that name exists
   * @param object the path of the object that contains the name, for messages
   * @param folders the folders that are searched first, as for {@link #find(String, String, List,
   *     List)}
   * @throws UntrustedFileException if the policy refuses the name or the folder
   * @throws IllegalArgumentException if the name is not that of a file
   */
  public Found vacancy(String name, String object, List<String> folders) {
    if (trust == Trust.NONE) {
      throw refused(name, "no other file is trusted", object);
    }
    Path given =
        path(name)
            .filter(path -> path.getFileName() != null)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "not the name of a file: name=" + name + " object=" + object));
    if (trust == Trust.SAME_FOLDER && given.isAbsolute()) {
      throw refused(name, "an absolute name", object);
    }
    Path file = prefixed(given, folders).findFirst().orElseGet(() -> beside(given).normalize());
    checkName(name, file, object);
    Path folder = Objects.requireNonNull(file.getParent(), "folder of an absolute path");
    Path real = checked(name, folder, object).path();
    return new Found(file, real.resolve(Objects.requireNonNull(file.getFileName())));
  }

  /**
   * Checks a file again after it was opened, since its path may have changed in the meantime. The
   * naming file itself is always accepted.
   *
   * @param object the path of the object that contains the name, for messages
   * @throws UntrustedFileException if not all files are trusted and the path is no longer the real
   *     path of a regular file
   */
  public void confirm(Found found, String object) {
    if (trust != Trust.ALL
        && !(Files.isRegularFile(found.path) && isReal(found.path))
        && !found.equals(itself())) {
      throw refused(found.named.toString(), "replaced while it was opened", object);
    }
  }

  /**
   * Checks the members of a family or of a multi file. The naming file is one of the members, or
   * its name is the pattern or prefix of all of them. Under {@link Trust#NONE}, opening one member
   * by its own name does not allow the other members, whereas opening all of them by their pattern
   * or prefix allows those in the folder.
   *
   * @throws UntrustedFileException if the policy refuses a member
   */
  public void checkMembers(List<Path> members) {
    if (trust == Trust.ALL) {
      return;
    }
    boolean namesOne = members.contains(path);
    for (Path member : members) {
      if (member.equals(path)) {
        continue;
      }
      if (namesOne && trust == Trust.NONE) {
        throw refused(member.toString(), "no other file is trusted", "/");
      }
      checkName(member.toString(), member.toAbsolutePath(), "/");
      if (Files.exists(member)) {
        Found unused = checked(member.toString(), member, "/");
      }
    }
  }

  /** Returns the paths to try: an absolute name itself, and the name within each folder. */
  private Stream<Path> prefixed(Path given, List<String> folders) {
    Path last = given.isAbsolute() ? Optional.ofNullable(given.getFileName()).orElse(given) : given;
    Stream<Path> within =
        folders.stream()
            .flatMap(folder -> path(originated(folder)).stream())
            .map(folder -> folder.resolve(last).toAbsolutePath());
    return given.isAbsolute() ? Stream.concat(Stream.of(given), within) : within;
  }

  private String originated(String folder) {
    return folder.startsWith(ORIGIN)
        ? named.toAbsolutePath().getParent() + folder.substring(ORIGIN.length())
        : folder;
  }

  private static Optional<Path> path(String name) {
    try {
      return Optional.of(Path.of(name));
    } catch (InvalidPathException e) {
      // A name that is not a valid path is treated as the name of a missing file.
      return Optional.empty();
    }
  }

  private Path beside(Path given) {
    return named.toAbsolutePath().resolveSibling(given);
  }

  private Optional<Path> at(Place place, Path given) {
    return switch (place) {
      case BESIDE -> Optional.of(beside(given).normalize());
      case WORKING_FOLDER -> Optional.of(given.toAbsolutePath());
      case BESIDE_BY_LAST_PART -> Optional.ofNullable(given.getFileName()).map(this::beside);
    };
  }

  /**
   * Refuses a name that denotes a path outside the folder, before any file of that name is
   * accessed.
   */
  private void checkName(String name, Path place, String object) {
    if (trust != Trust.ALL && !place.normalize().startsWith(folder().normalize())) {
      throw refused(name, "a name that leads out of the folder " + folder(), object);
    }
  }

  private Found checked(String name, Path file, String object) {
    if (trust == Trust.ALL) {
      return new Found(file, file);
    }
    try {
      Path real = file.toRealPath();
      if (!real.startsWith(folder().toRealPath())) {
        throw refused(name, real + " is outside of the folder " + folder(), object);
      }
      return new Found(file, real);
    } catch (IOException e) {
      throw refused(name, "its real path is unknown: " + e.getMessage(), object);
    }
  }

  private static boolean isReal(Path path) {
    try {
      return path.toRealPath().equals(path);
    } catch (IOException e) {
      return false;
    }
  }

  private Path folder() {
    return Objects.requireNonNull(root.toAbsolutePath().getParent(), "folder of an opened file");
  }

  private UntrustedFileException refused(String name, String reason, String object) {
    return UntrustedFileException.refused(name, reason, object, named, trust);
  }
}
