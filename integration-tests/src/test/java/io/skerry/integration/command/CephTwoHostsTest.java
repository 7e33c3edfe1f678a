package io.skerry.integration.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.integration.command.Checkout.Ran;
import io.skerry.testkit.launch.MpirunLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a job whose compute ranks are on one host and whose I/O ranks are on another, which also has
 * the Ceph cluster. Each host is a network namespace of this machine.
 */
@EnabledIfSystemProperty(named = "skerry.ceph", matches = "true")
class CephTwoHostsTest {
  private static final String RUN =
      "lcls --synthetic 48x512x512 --batch 1 --no-progress --every 4 --ranks 4 --io-ranks 2";

  /** The number of objects of the container after which a storage daemon is killed. */
  private static final int OBJECTS = 12;

  private static final int SECONDS = 240;

  @TempDir private Path folder;

  // The process ID keeps the names of the hosts distinct from those of concurrent test runs.
  private final String pair = "sc" + ProcessHandle.current().pid() % 100_000;

  private final String cluster = Checkout.root() + "/testkit/ceph-cluster";

  @BeforeEach
  void put_up_the_hosts_and_the_cluster() throws Exception {
    assumeTrue(MpirunLauncher.find().isPresent(), "mpirun is absent: skipped");
    Ran up = hosts("up");
    assumeTrue(up.code() != 3, "skipped: NO TWO HOSTS TO TEST CEPH WITH: " + up.err());
    assertEquals(0, up.code(), up.err());
    Ran started = hosts("on", "b", cluster, "up", ceph());
    assumeTrue(started.code() != 2, "skipped: NO CEPH CLUSTER TO TEST WITH: " + started.err());
    assertEquals(0, started.code(), started.err());
  }

  @AfterEach
  void take_all_of_it_down() throws Exception {
    Ran removed = hosts("on", "b", cluster, "remove", ceph());
    Ran down = hosts("down");
    assertEquals(0, removed.code(), removed.err());
    assertEquals(0, down.code(), down.err());
  }

  private String ceph() {
    return folder.resolve("ceph").toString();
  }

  private Map<String, String> environment() {
    return Map.of(
        "TWO_HOSTS",
        pair,
        "SKERRY_CEPH_ADDRESS",
        "10.99.0.2",
        "SKERRY_CEPH_UNTIL",
        String.valueOf(ProcessHandle.current().pid()));
  }

  private static List<String> command(String... arguments) {
    List<String> command =
        new ArrayList<>(List.of(Checkout.root() + "/integration-tests/two-hosts"));
    command.addAll(List.of(arguments));
    return command;
  }

  private Ran hosts(String... arguments) throws IOException, InterruptedException {
    return Checkout.run(folder, environment(), command(arguments));
  }

  private String good(String... arguments) throws IOException, InterruptedException {
    Ran ran = hosts(arguments);
    assertEquals(0, ran.code(), String.join(" ", arguments) + ran.out() + ran.err());
    return ran.out();
  }

  private String location() {
    return "iod+rados://skerry/both?conf=" + ceph() + "/ceph.conf&user=skerry";
  }

  @Test
  void a_killed_storage_daemon_changes_no_result_of_a_job_with_io_ranks_on_another_host()
      throws Exception {
    String place = "echo $OMPI_COMM_WORLD_RANK $(hostname)";
    assertEquals(
        List.of("0 " + pair + "-a", "1 " + pair + "-a", "2 " + pair + "-b", "3 " + pair + "-b"),
        good("run", "mpirun", "-n", "4", "--allow-run-as-root", "sh", "-c", place)
            .lines()
            .sorted()
            .toList());
    String skerry = Checkout.root() + "/skerry";
    List<String> line = new ArrayList<>(List.of("run", skerry));
    line.addAll(List.of(RUN.split(" ")));
    line.addAll(List.of("--json", "--out", location()));
    Path output = folder.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command(line.toArray(String[]::new)))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    Map<String, String> all = new HashMap<>(environment());
    all.put("SKERRY_NO_INSTALL", "1");
    all.put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(all);
    Process job = builder.start();
    try {
      while (objects() < OBJECTS) {
        assertTrue(job.isAlive(), () -> "the job has ended: " + text(output));
        TimeUnit.MILLISECONDS.sleep(200);
      }
      good("on", "b", cluster, "kill", "1", ceph());
      assertTrue(job.isAlive(), () -> "the job ended before the kill: " + text(output));
      assertTrue(job.waitFor(SECONDS, TimeUnit.SECONDS), () -> "no end: " + text(output));
      assertEquals(0, job.exitValue(), () -> text(output));
    } finally {
      job.descendants().forEach(ProcessHandle::destroyForcibly);
      job.destroyForcibly();
    }
    assertTrue(text(output).contains("\"ranks\": 2"), text(output));
    assertTrue(text(output).contains("\"verified\": true"), text(output));
    assertTrue(good("on", "b", skerry, "verify", location()).endsWith("clean\n"));
    String plain = RUN.substring(0, RUN.indexOf(" --ranks"));
    List<String> one = new ArrayList<>(List.of("on", "a", skerry));
    one.addAll(List.of(plain.split(" ")));
    one.addAll(List.of("--out", "one.h5"));
    good(one.toArray(String[]::new));
    assertEquals(digest(skerry, "one.h5"), digest(skerry, location()));
    System.out.println("a killed storage daemon and I/O ranks on another host: digest equal");
  }

  /** Returns the number of objects in the pool. */
  private long objects() throws IOException, InterruptedException {
    String conf = ceph() + "/ceph.conf";
    return good(
            "on",
            "b",
            "timeout",
            "20",
            "rados",
            "-c",
            conf,
            "-n",
            "client.skerry",
            "-p",
            "skerry",
            "ls")
        .lines()
        .count();
  }

  private String digest(String skerry, String file) throws IOException, InterruptedException {
    return good("on", "a", skerry, "digest", file)
        .lines()
        .filter(line -> !line.contains("@creator"))
        .collect(Collectors.joining("\n"));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
