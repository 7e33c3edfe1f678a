package io.skerry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests two users of a folder to which both may write, such as {@code /tmp}, and the permissions of
 * new files.
 */
class FilePermissionsTest {
  private static final int OTHER_USER = 65_534;

  /** The command that runs another command as the other user. */
  private static final List<String> OTHER =
      List.of("setpriv", "--reuid=" + OTHER_USER, "--regid=" + OTHER_USER, "--clear-groups");

  /** Copies of the classes and libraries of this test, which all users may read. */
  @TempDir private static Path classes;

  private static String classPath = "";
  private static boolean runsForOthers;

  @TempDir Path folder;
  private Path shared;
  private Path file;
  private Path journal;

  /** The program of another user. Its arguments are the operation and the file. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws IOException {
      Path path = Path.of(args[1]);
      try (H5File file =
          switch (args[0]) {
            case "create" -> H5File.create(path);
            case "write" -> H5File.openForWriting(path, Communicator.self());
            default -> H5File.open(path);
          }) {
        Path beside = path.resolveSibling(path.getFileName() + ".journal");
        System.out.print("opened " + mode(path));
        System.out.print(args[0].equals("read") ? "" : " journal " + mode(beside));
      } catch (CollectiveException e) {
        System.out.print(e.getMessage());
      }
    }

    private static String mode(Path path) throws IOException {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
  }

  @BeforeAll
  static void copy_classes() throws IOException, InterruptedException {
    assumeTrue("root".equals(System.getProperty("user.name")), "two users need root: skipped");
    List<String> readable = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (entry.contains("/target/")) {
        Path copy = classes.resolve("" + readable.size());
        assertEquals("", run(List.of("cp", "-r", "--no-preserve=mode", entry, copy.toString())));
        readable.add(copy.toString());
      }
    }
    run(List.of("chmod", "-R", "a+rX", classes.toString()));
    classPath = String.join(File.pathSeparator, readable);
    List<String> java = new ArrayList<>(OTHER);
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    java.add("-version");
    runsForOthers = run(java).contains("version");
  }

  @BeforeEach
  void create_shared_folder() throws IOException {
    Files.setAttribute(folder, "unix:mode", 0755);
    shared = Files.createDirectory(folder.resolve("shared"));
    Files.setAttribute(shared, "unix:mode", 01777);
    file = shared.resolve("x.h5");
    journal = shared.resolve("x.h5.journal");
    try (H5File made = H5File.create(file)) {
      made.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(4)).chunked(2))
          .write(Selection.all(), new int[] {1, 2, 3, 4});
    }
    Files.setAttribute(file, "unix:mode", 0666);
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it hangs: " + command);
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }

  /** Runs the program under a umask. */
  private String program(List<String> user, String umask, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(user);
    command.addAll(List.of("sh", "-c", "umask " + umask + "; exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", classPath));
    command.add(Program.class.getName());
    command.addAll(List.of(arguments));
    return run(command);
  }

  private String stranger(String what) throws IOException, InterruptedException {
    assumeTrue(runsForOthers, "no setpriv, or a JDK for root alone: skipped");
    return program(OTHER, "022", what, file.toString());
  }

  @Test
  void a_journal_readable_only_by_its_owner_is_refused_by_name() throws Exception {
    Files.createFile(journal);
    Files.setAttribute(journal, "unix:mode", 0600);
    for (String what : List.of("read", "write")) {
      String said = stranger(what);
      assertTrue(said.contains("the journal may not be read and written"), said);
      assertTrue(said.contains("journal=" + journal), said);
    }
    assertTrue(Files.exists(journal));
  }

  @Test
  void a_journal_removable_only_by_its_owner_is_emptied() throws Exception {
    Files.write(journal, new byte[100]);
    Files.setAttribute(journal, "unix:mode", 0666);
    String said = stranger("read");
    assertTrue(said.startsWith("opened "), said);
    assertEquals(0, Files.size(journal));
    said = stranger("write");
    assertTrue(said.startsWith("opened "), said);
    assertEquals(0, Files.size(journal));
    H5File.open(file).close();
    assertFalse(Files.exists(journal));
  }

  @Test
  void an_opener_without_write_permission_leaves_no_journal() throws Exception {
    Files.setAttribute(file, "unix:mode", 0644);
    String said = stranger("write");
    assertTrue(said.contains("access denied") && said.contains(file.toString()), said);
    assertFalse(Files.exists(journal));
    assertTrue(stranger("read").startsWith("opened "));
  }

  @Test
  void a_journal_planted_by_another_user_is_refused_on_all_ranks() throws Exception {
    Files.createFile(journal);
    Files.setAttribute(journal, "unix:mode", 0666);
    Files.setAttribute(journal, "unix:uid", OTHER_USER, LinkOption.NOFOLLOW_LINKS);
    for (int ranks : new int[] {1, 3}) {
      List<String> said =
          LocalRanks.call(
              ranks,
              world -> {
                String read =
                    assertThrows(CollectiveException.class, () -> H5File.open(file, world))
                        .getMessage();
                return read
                    + assertThrows(
                            CollectiveException.class, () -> H5File.openForWriting(file, world))
                        .getMessage();
              });
      said.forEach(one -> assertTrue(one.contains("belongs to another user"), one));
    }
    assertTrue(Files.exists(journal));
  }

  @Test
  void new_files_follow_the_umask_and_replaced_files_keep_their_permissions() throws Exception {
    for (String[] each : new String[][] {{"027", "rw-r-----"}, {"0", "rw-rw-rw-"}}) {
      Path made = folder.resolve("umask" + each[0] + ".h5");
      assertEquals(
          "opened " + each[1] + " journal " + each[1],
          program(List.of(), each[0], "create", made.toString()));
    }
    Files.setAttribute(file, "unix:mode", 0600);
    for (String what : List.of("create", "write")) {
      assertEquals(
          "opened rw------- journal rw-------",
          program(List.of(), "0", what, file.toString()),
          what);
    }
  }
}
