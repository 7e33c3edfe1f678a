package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.jobs.Shell.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A checkout with the real script {@code skerry} and empty build results. The search path contains
 * only a few tools, and fakes that print how they were called.
 */
abstract class FakeCheckout {
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "find",
          "mkdir",
          "mv",
          "rm",
          "sed",
          "readlink",
          "nproc",
          "flock",
          "env",
          "cat",
          "sleep");

  @TempDir Path folder;
  final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void create_a_built_checkout() throws IOException {
    Files.createDirectories(folder.resolve("bin"));
    for (String tool : TOOLS) {
      for (String from : List.of("/usr/bin", "/bin")) {
        if (Files.isExecutable(Path.of(from, tool))) {
          script("bin/" + tool, "#!/bin/sh\nexec " + from + "/" + tool + " \"$@\"\n");
        }
      }
    }
    Files.copy(Repository.root().resolve("skerry"), folder.resolve("skerry"));
    jdk("jdk", "25.0.1");
    for (String file :
        List.of(
            "pom.xml",
            "jobs/pom.xml",
            "jobs/src/main/java/A.java",
            "jobs/src/test/java/B.java",
            "testkit/src/main/java/C.java",
            "integration-tests/src/main/java/C.java",
            "jobs/target/skerry.jar",
            ".mvn/jvm.config")) {
      Files.createDirectories(folder.resolve(file).getParent());
      Files.writeString(folder.resolve(file), "");
    }
    Files.createDirectories(folder.resolve(".skerry"));
    Files.writeString(folder.resolve(".skerry/built"), "");
    Files.setLastModifiedTime(
        folder.resolve(".skerry/built"), FileTime.from(Instant.now().plusMillis(20)));
    environment.put("PATH", folder.resolve("bin").toString());
    environment.put("JAVA_HOME", folder.resolve("jdk").toString());
    environment.put("HOME", folder.toString());
    environment.put("SKERRY_NO_INSTALL", "1");
    environment.put("SKERRY_NO_ARCHIVE", "1");
  }

  void jdk(String name, String version) throws IOException {
    program(name + "/bin/java", "echo java $*");
    program(name + "/bin/javac", "exit 1");
    Files.writeString(
        folder.resolve(name + "/release"),
        "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\nOS_NAME=\"Linux\"\n");
  }

  void program(String name, String body) throws IOException {
    script(name, "#!/usr/bin/env bash\n" + body + "\n");
  }

  void script(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  void mpirun() throws IOException {
    program(
        "bin/mpirun",
        "if [[ $1 == --version ]]; then echo 'mpirun (Open MPI) 4.1.4'; exit; fi\n"
            + "echo mpirun $*; echo sieving $OMPI_MCA_fbtl_posix_read_datasieving"
            + " $OMPI_MCA_fbtl_posix_write_datasieving yield ${OMPI_MCA_mpi_yield_when_idle:-};"
            + " exit 7");
  }

  Ran skerry(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(folder.resolve("skerry").toString()));
    command.addAll(List.of(arguments));
    return Shell.run(folder, environment, command);
  }

  void touch(String file) throws IOException {
    Files.setLastModifiedTime(folder.resolve(file), FileTime.from(Instant.now()));
  }

  /** Runs the script four times in parallel and checks that each run starts Java. */
  Ran fourAtOnce() throws IOException, InterruptedException {
    Ran ran =
        Shell.run(
            folder,
            environment,
            List.of("bash", "-c", "for i in 1 2 3 4; do ./skerry -V & done; wait"));
    assertEquals(4, ran.out().lines().filter(line -> line.startsWith("java ")).count());
    return ran;
  }
}
