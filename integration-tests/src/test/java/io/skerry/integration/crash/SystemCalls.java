package io.skerry.integration.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses a log of {@code strace} with {@link #OPTIONS}: the calls of all processes on files of one
 * folder, in the order in which {@code strace} logged them.
 */
final class SystemCalls {
  /** Options that log paths and data completely, in hexadecimal. */
  static final List<String> OPTIONS =
      List.of(
          "-f",
          "-qq",
          "-y",
          "-xx",
          "--string-limit=100000000",
          "--seccomp-bpf",
          "--signal=none",
          "--trace=openat,creat,write,writev,pwrite64,pwritev,pwritev2,ftruncate,truncate,fallocate,"
              + "fsync,fdatasync,sync_file_range,msync,rename,renameat,renameat2,link,linkat,unlink,"
              + "unlinkat,clone,clone3,fork,vfork");

  private static final Pattern LINE = Pattern.compile("^([0-9]+) +([a-z0-9_]+)\\((.*)$");
  private static final Pattern RESUMED =
      Pattern.compile("^([0-9]+) +<\\.\\.\\. ([a-z0-9_]+) resumed>(.*)$");
  private static final Pattern RESULT = Pattern.compile("= (-?[0-9]+)[^=]*$");
  private static final Pattern TEXT = Pattern.compile("\"((?:\\\\x[0-9a-f]{2})*)\"");
  private static final Pattern DESCRIPTOR = Pattern.compile("^[0-9]+<([^>]*)>");
  private static final String UNFINISHED = " <unfinished ...>";

  /** A call that has not returned yet. */
  private record Begun(int line, String name, String arguments) {}

  private final String folder;
  private final String marks;
  private final Map<Integer, Begun> begun = new HashMap<>();
  private final Map<Integer, Integer> processes = new HashMap<>();
  private final Map<String, Integer> files = new HashMap<>();
  private final List<DiskOperation> operations = new ArrayList<>();
  private int fileCount;

  private SystemCalls(Path folder, String marks) {
    this.folder = folder + "/";
    this.marks = marks;
  }

  /**
   * Returns the operations of a log.
   *
   * @param folder the folder of the files, empty at the start
   * @param marks name of the file in the folder whose lines are marks
   */
  static List<DiskOperation> of(Path log, Path folder, String marks) throws IOException {
    SystemCalls calls = new SystemCalls(folder, marks);
    List<String> lines = Files.readAllLines(log);
    // A thread may make calls before the call that created it has returned.
    lines.forEach(calls::thread);
    for (int i = 0; i < lines.size(); i++) {
      calls.line(i + 1, lines.get(i));
    }
    return calls.operations;
  }

  /** Records the process of a new thread from the result of the clone call. */
  private void thread(String line) {
    Matcher resumed = RESUMED.matcher(line);
    Matcher whole = LINE.matcher(line);
    boolean again = resumed.matches();
    if (!again && !whole.matches()) {
      return;
    }
    int caller = Integer.parseInt(again ? resumed.group(1) : whole.group(1));
    String name = again ? resumed.group(2) : whole.group(2);
    if (!name.startsWith("clone")) {
      return;
    }
    if (!again && line.contains("CLONE_THREAD")) {
      begun.put(caller, new Begun(0, name, line));
    }
    Matcher result = RESULT.matcher(line);
    boolean makesThread = line.contains("CLONE_THREAD") || again && begun.containsKey(caller);
    if (!line.endsWith(UNFINISHED)) {
      begun.remove(caller);
      if (makesThread && result.find()) {
        int made = Integer.parseInt(result.group(1));
        processes.put(made, processes.getOrDefault(caller, caller));
      }
    }
  }

  private void line(int number, String line) {
    Matcher resumed = RESUMED.matcher(line);
    if (resumed.matches()) {
      int thread = Integer.parseInt(resumed.group(1));
      Begun call = begun.remove(thread);
      if (call != null) {
        call(call.line(), number, thread, call.name(), call.arguments() + resumed.group(3));
      }
      return;
    }
    Matcher whole = LINE.matcher(line);
    if (whole.matches()) {
      int thread = Integer.parseInt(whole.group(1));
      String arguments = whole.group(3);
      if (arguments.endsWith(UNFINISHED)) {
        String known = arguments.substring(0, arguments.length() - UNFINISHED.length());
        begun.put(thread, new Begun(number, whole.group(2), known));
      } else {
        call(number, number, thread, whole.group(2), arguments);
      }
    }
  }

  private void call(int start, int end, int thread, String name, String text) {
    Matcher result = RESULT.matcher(text);
    long returned = result.find() ? Long.parseLong(result.group(1)) : -1;
    if (returned < 0) {
      return;
    }
    int process = processes.getOrDefault(thread, thread);
    String arguments = text.substring(0, result.start());
    switch (name) {
      case "clone", "clone3", "fork", "vfork" -> {}
      case "openat", "creat" -> open(start, end, process, name, arguments);
      case "write", "writev", "pwrite64", "pwritev" ->
          write(start, end, process, name, arguments, returned);
      case "ftruncate" ->
          file(arguments)
              .ifPresent(file ->
                  operations.add(
                      new DiskOperation.Resize(start, end, process, file, lastNumber(arguments))));
      case "fsync", "fdatasync" ->
          file(arguments)
              .ifPresent(file -> operations.add(new DiskOperation.Sync(start, end, process, file)));
      case "unlink", "unlinkat" -> {
        Optional<String> removed = inFolder(texts(arguments).getLast());
        removed.ifPresent(gone -> {
          files.remove(gone);
          operations.add(new DiskOperation.Unlink(start, end, process, gone));
        });
      }
      case "link", "linkat" -> link(start, end, process, texts(arguments));
      case "rename", "renameat", "renameat2" -> rename(start, end, process, texts(arguments));
      default -> refuse(name, arguments);
    }
  }

  /** Throws if a call that this class does not model accesses a file of the folder. */
  private void refuse(String name, String arguments) {
    boolean here =
        texts(arguments).stream().anyMatch(text -> inFolder(text).isPresent())
            || descriptor(arguments).flatMap(this::inFolder).isPresent();
    if (here) {
      throw new IllegalStateException("a call without a model: name=" + name);
    }
  }

  private void open(int start, int end, int process, String name, String arguments) {
    Optional<String> path = inFolder(texts(arguments).getLast());
    if (path.isEmpty() || path.get().equals(marks)) {
      return;
    }
    boolean creates = name.equals("creat") || arguments.contains("O_CREAT");
    boolean cuts = name.equals("creat") || arguments.contains("O_TRUNC");
    Integer known = files.get(path.get());
    if (known == null && creates) {
      files.put(path.get(), fileCount);
      operations.add(new DiskOperation.Create(start, end, process, fileCount++, path.get()));
    } else if (known != null && cuts) {
      operations.add(new DiskOperation.Resize(start, end, process, known, 0));
    }
  }

  private void write(
      int start, int end, int process, String name, String arguments, long returned) {
    Optional<String> path = descriptor(arguments).flatMap(this::inFolder);
    if (path.isEmpty()) {
      return;
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    bytes(arguments).forEach(all::writeBytes);
    byte[] bytes = Arrays.copyOf(all.toByteArray(), (int) returned);
    if (path.get().equals(marks)) {
      for (String mark : new String(bytes, UTF_8).split("\n")) {
        operations.add(new DiskOperation.Mark(start, end, process, mark));
      }
    } else if (name.startsWith("pwrite")) {
      file(arguments)
          .ifPresent(file ->
              operations.add(
                  new DiskOperation.Write(
                      start, end, process, file, lastNumber(arguments), bytes)));
    } else {
      throw new IllegalStateException("a write without a position: file=" + path.get());
    }
  }

  private void link(int start, int end, int process, List<String> paths) {
    Optional<String> from = inFolder(paths.getFirst());
    Optional<String> to = inFolder(paths.getLast());
    if (from.isPresent() && to.isPresent()) {
      files.put(to.get(), files.get(from.get()));
      operations.add(new DiskOperation.Link(start, end, process, from.get(), to.get()));
    }
  }

  private void rename(int start, int end, int process, List<String> paths) {
    Optional<String> from = inFolder(paths.getFirst());
    Optional<String> to = inFolder(paths.getLast());
    if (from.isPresent() && to.isPresent()) {
      Integer file = files.remove(from.get());
      if (file != null) {
        files.put(to.get(), file);
      }
      operations.add(new DiskOperation.Rename(start, end, process, from.get(), to.get()));
    } else if (from.isPresent() || to.isPresent()) {
      throw new IllegalStateException("a file changes its folder: " + from + " to " + to);
    }
  }

  private Optional<Integer> file(String arguments) {
    return descriptor(arguments).flatMap(this::inFolder).map(files::get);
  }

  private Optional<String> descriptor(String arguments) {
    Matcher found = DESCRIPTOR.matcher(arguments);
    return found.find() ? Optional.of(decoded(found.group(1))) : Optional.empty();
  }

  /** Returns the path relative to the folder, or empty if it is outside the folder. */
  private Optional<String> inFolder(String path) {
    String present = path.replace(" (deleted)", "");
    return present.startsWith(folder)
        ? Optional.of(present.substring(folder.length()))
        : Optional.empty();
  }

  private static List<String> texts(String arguments) {
    List<String> texts = new ArrayList<>();
    bytes(arguments).forEach(bytes -> texts.add(new String(bytes, UTF_8)));
    return texts.isEmpty() ? List.of("") : texts;
  }

  private static List<byte[]> bytes(String arguments) {
    List<byte[]> all = new ArrayList<>();
    Matcher text = TEXT.matcher(arguments);
    while (text.find()) {
      all.add(hex(text.group(1)));
    }
    return all;
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace("\\x", ""));
  }

  private static String decoded(String path) {
    return path.startsWith("\\x") ? new String(hex(path), UTF_8) : path;
  }

  /** Returns the last argument, an offset or a size. */
  private static long lastNumber(String arguments) {
    Matcher number = Pattern.compile("([0-9]+)\\)\\s*$").matcher(arguments.strip());
    if (!number.find()) {
      throw new IllegalStateException("no number: arguments=" + arguments);
    }
    return Long.parseLong(number.group(1));
  }
}
