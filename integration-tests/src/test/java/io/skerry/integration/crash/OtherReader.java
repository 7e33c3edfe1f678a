package io.skerry.integration.crash;

import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads many files with h5py, without recovery, in one run of Python. */
final class OtherReader {
  /**
   * Prints one line per file: {@code text} and its rendering, {@code refused} and the error of
   * opening it, or {@code failed} and the error of reading it. Reads each file in a forked process.
   */
  private static final String SCRIPT =
      """
      import sys, os, signal, h5py
      def attributes(o):
          own = {}
          for name in o.attrs:
              v = o.attrs[name]
              own[name] = v if isinstance(v, str) else str(int(v))
          return '{' + ', '.join(k + '=' + own[k] for k in sorted(own)) + '}'
      def number(b):
          text = b.decode() if isinstance(b, bytes) else b
          if text == '':
              return 0
          n = int(text.split('x')[0])
          return n if text == str(n) + 'x' * (n % 41) else -1
      def walk(g, path, lines, loose):
          lines.append((path or '/') + ' group ' + attributes(g))
          for name in g:
              p = path + '/' + name
              link = g.get(name, getlink=True)
              if isinstance(link, h5py.SoftLink):
                  lines.append(p + ' -> ' + link.path)
              elif name.startswith('SPARSE'):
                  lines.append(p + ' sparse')
              elif isinstance(g[name], h5py.Group):
                  walk(g[name], p, lines, loose)
              else:
                  d = g[name]
                  values = []
                  if name.split('-')[0] not in loose and d.shape[0] > 0:
                      values = d[...].ravel().tolist()
                      if name.startswith('TEXTS'):
                          values = [number(v) for v in values]
                  lines.append(p + ' rows=' + str(d.shape[0]) + ' ' + str(values) + ' ' + attributes(d))
      loose = sys.argv[2].split(',')
      def look(path):
          try:
              f = h5py.File(path, 'r')
          except OSError as e:
              print('refused ' + str(e).replace('\\n', ' '))
              return
          try:
              lines = []
              walk(f, '', lines, loose)
              f.close()
              print('text ' + '|'.join(sorted(lines)))
          except Exception as e:
              print('failed ' + type(e).__name__ + ': ' + str(e).replace('\\n', ' '))
      for path in open(sys.argv[1]).read().split():
          sys.stdout.flush()
          child = os.fork()
          if child == 0:
              # Ends the process within the library too.
              signal.alarm(5)
              look(path)
              sys.stdout.flush()
              os._exit(0)
          status = os.waitpid(child, 0)[1]
          if status != 0:
              print('failed status ' + str(status))
      """;

  private final Path folder;
  private final List<Path> files = new ArrayList<>();
  private final List<CrashStates.Crashed> states = new ArrayList<>();

  /**
   * @param folder folder for copies of the files
   */
  OtherReader(Path folder) {
    this.folder = folder;
  }

  /**
   * The result of reading a file.
   *
   * @param seen the rendering, or empty if h5py does not read the file
   * @param refusal the line with the error, or empty if h5py reads the file
   */
  record Answer(CrashStates.Crashed crashed, String seen, String refusal) {
    boolean isRefusal() {
      return refusal.startsWith("refused ");
    }

    /** Returns whether h5py opened the file and then failed, crashed or hung. */
    boolean isFailure() {
      return refusal.startsWith("failed ");
    }
  }

  /** Adds a copy of a file to be read; the same path may be added more than once. */
  void add(Path file, CrashStates.Crashed crashed) throws IOException {
    Path copy = folder.resolve("state-" + files.size() + ".h5");
    Files.copy(file, copy);
    files.add(copy);
    states.add(crashed);
  }

  /** Reads all files in the order in which they were added. */
  List<Answer> read(Oracle h5py, Set<StorageKind> loose) throws IOException {
    Path list = folder.resolve("list");
    Files.write(list, files.stream().map(Path::toString).toList());
    String kinds = loose.stream().map(StorageKind::name).collect(Collectors.joining(","));
    List<String> lines =
        h5py.run(folder, "-c", SCRIPT, list, kinds).expectSuccess().out().lines().toList();
    if (lines.size() != files.size()) {
      throw new AssertionError("answers: expected=" + files.size() + " actual=" + lines.size());
    }
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean text = line.startsWith("text ");
      answers.add(
          new Answer(
              states.get(i),
              text ? line.substring("text ".length()).replace('|', '\n') : "",
              text ? "" : line));
    }
    return answers;
  }

  /** Deletes all copies. */
  void forget() throws IOException {
    for (Path file : files) {
      Files.delete(file);
    }
    files.clear();
    states.clear();
  }
}
