package io.skerry.iod.transaction;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles the sources of the protocol with a deliberate break, and explores the result. */
final class MutatedProtocol {
  private static final Path SOURCES = Path.of("src/main/java/io/skerry/iod/transaction");

  private MutatedProtocol() {}

  /** A source text in memory. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("memory:///io/skerry/iod/transaction/" + name), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** A compiled class in memory. */
  private static final class Target extends SimpleJavaFileObject {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Target(String name) {
      super(URI.create("memory:///" + name.replace('.', '/') + ".class"), Kind.CLASS);
    }

    @Override
    public OutputStream openOutputStream() {
      return bytes;
    }
  }

  private static final class Targets extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, Target> classes = new HashMap<>();

    Targets(JavaFileManager manager) {
      super(manager);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
      return classes.computeIfAbsent(name, Target::new);
    }
  }

  /** Loads the mutated classes, and with them the classes of the tests. */
  private static final class Loader extends ClassLoader {
    private final Map<String, Target> mutated;

    Loader(Map<String, Target> mutated) {
      super(MutatedProtocol.class.getClassLoader());
      this.mutated = mutated;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (!name.startsWith("io.skerry.iod.transaction.")) {
          return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      Target target = mutated.get(name);
      byte[] bytes = target == null ? stored(name) : target.bytes.toByteArray();
      return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] stored(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        return in.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Replaces a text of a source file, and explores a scenario with the result.
   *
   * @return the first violation with the steps that lead to it; empty if none was found
   */
  static String firstViolation(String scenario, String file, String text, String replacement)
      throws Exception {
    List<Source> sources = new ArrayList<>();
    try (var files = Files.list(SOURCES)) {
      for (Path path : files.sorted().toList()) {
        String source = Files.readString(path);
        String name = path.getFileName().toString();
        if (name.equals(file)) {
          if (source.split(Pattern.quote(text), -1).length != 2) {
            throw new AssertionError("not once in " + file + ": " + text);
          }
          source = source.replace(text, replacement);
        }
        sources.add(new Source(name, source));
      }
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null);
        Targets targets = new Targets(standard)) {
      List<String> options =
          List.of("-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"));
      if (!compiler.getTask(null, targets, null, options, null, sources).call()) {
        throw new AssertionError("does not compile: " + replacement);
      }
      Class<?> explorer =
          new Loader(targets.classes).loadClass("io.skerry.iod.transaction.Explorer", true);
      var method = explorer.getDeclaredMethod("firstViolation", String.class);
      method.setAccessible(true);
      return (String) method.invoke(null, scenario);
    }
  }
}
