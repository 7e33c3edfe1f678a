package io.skerry.mpi.internal.jar;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;

/**
 * A jar with Java bindings for MPI. Both known kinds have their classes in package {@code mpi}, so
 * each jar that is opened by its name gets a separate loader, which does not see Skerry's classes.
 * A jar on the class path of a rank keeps the loader of that path.
 *
 * @param path the path of the jar
 * @param kind the kind of the bindings
 * @param classes the classes of the jar
 */
public record MpiJar(Path path, Kind kind, JarClasses classes) {
  private static final String EXPECTED =
      "expected=Open MPI's mpi.jar (mpi.Comm.getRank) or MPJ Express's mpj.jar (mpi.Comm.Rank)";

  /** The kinds of Java bindings. */
  public enum Kind {
    OPEN_MPI("Open MPI's Java bindings", "getRank"),
    MPJ_EXPRESS("MPJ Express", "Rank");

    private final String title;
    private final String rankMethod;

    Kind(String title, String rankMethod) {
      this.title = title;
      this.rankMethod = rankMethod;
    }

    public String title() {
      return title;
    }
  }

  /** Opens a jar and determines its kind. */
  public static MpiJar open(String name, Map<String, String> environment) {
    var path = Path.of(name).toAbsolutePath().normalize();
    if (!Files.isReadable(path)) {
      throw JarClasses.unusable(
          "no such jar: SKERRY_MPI=%s; %s; mpi-core/make-openmpi-jar makes one, Debian's libmpj-java"
                  .formatted(name, EXPECTED)
              + " has the other");
    }
    requireMpi(path, name);
    return of(path, new LibraryLoader(url(path), environment));
  }

  /**
   * Returns the jar that {@code mpjrun} has put on the class path of a rank; empty if there is
   * none.
   */
  public static Optional<MpiJar> visibleTo(ClassLoader loader) {
    try {
      var found = Class.forName("mpi.Comm", false, loader).getProtectionDomain().getCodeSource();
      return found == null
          ? Optional.empty()
          : Optional.of(of(Path.of(found.getLocation().getPath()), loader));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }

  private static MpiJar of(Path path, ClassLoader loader) {
    try {
      var methods = Class.forName("mpi.Comm", false, loader).getMethods();
      var names = Arrays.stream(methods).map(Method::getName).toList();
      for (var kind : Kind.values()) {
        if (names.contains(kind.rankMethod)) {
          return new MpiJar(path, kind, new JarClasses(loader, kind.title + " in " + path));
        }
      }
      throw refused(path, "class mpi.Comm with neither method");
    } catch (ClassNotFoundException | LinkageError e) {
      throw refused(path, "class mpi.Comm that does not load, " + e);
    }
  }

  private static void requireMpi(Path path, String name) {
    try (var jar = new JarFile(path.toFile())) {
      if (jar.getEntry("mpi/Comm.class") == null) {
        throw refused(path, "no class mpi.Comm");
      }
    } catch (IOException e) {
      throw JarClasses.unusable(
          "not a jar: SKERRY_MPI=%s; %s; found=%s".formatted(name, EXPECTED, e.getMessage()), e);
    }
  }

  private static RuntimeException refused(Path path, String found) {
    return JarClasses.unusable(
        "not the jar of an MPI: path=%s; %s; found=%s; let SKERRY_MPI name one of the two"
            .formatted(path, EXPECTED, found));
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("no URL: path=" + path, e);
    }
  }
}
