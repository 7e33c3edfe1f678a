package io.skerry.integration.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.integration.command.Checkout.Ran;
import io.skerry.testkit.launch.MpirunLauncher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the detector job on two hosts, each a network namespace of this machine. */
class TwoHostsTest {
  private static final Pattern TRAFFIC = Pattern.compile("(\\S+) sent (\\d+) received (\\d+)\n");

  @TempDir private Path folder;

  // The process ID keeps the names of the hosts distinct from those of concurrent test runs.
  private final String pair = "sk" + ProcessHandle.current().pid() % 100_000;

  @BeforeEach
  void put_up_the_hosts() throws Exception {
    assumeTrue(MpirunLauncher.find().isPresent(), "mpirun is absent: skipped");
    Ran up = hosts("up");
    assumeTrue(up.code() != 3, up.err() + "skipped");
    assertEquals(0, up.code(), up.err());
  }

  @AfterEach
  void take_the_hosts_down() throws Exception {
    Ran down = hosts("down");
    assertEquals(0, down.code(), down.err());
  }

  private Ran hosts(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of(Checkout.root() + "/integration-tests/two-hosts"));
    command.addAll(List.of(arguments));
    return Checkout.run(folder, Map.of("TWO_HOSTS", pair), command);
  }

  private Ran skerry(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Checkout.root() + "/skerry"));
    command.addAll(List.of(arguments));
    return Checkout.run(folder, Map.of(), command);
  }

  /** Returns the number of bytes that each host has sent. */
  private Map<String, Long> sent() throws IOException, InterruptedException {
    Ran ran = hosts("traffic");
    assertEquals(0, ran.code(), ran.err());
    Map<String, Long> bytes = new TreeMap<>();
    Matcher line = TRAFFIC.matcher(ran.out());
    while (line.find()) {
      bytes.put(line.group(1), Long.valueOf(line.group(2)));
    }
    return bytes;
  }

  @Test
  void a_job_of_four_ranks_on_two_hosts_communicates_over_tcp_and_stores_the_same_as_one_rank()
      throws Exception {
    Map<String, Long> before = sent();
    Ran names = hosts("run", "mpirun", "-n", "4", "--allow-run-as-root", "hostname");
    assertEquals(0, names.code(), names.err());
    assertEquals(
        List.of(pair + "-a", pair + "-a", pair + "-b", pair + "-b"),
        names.out().lines().sorted().toList());
    Map<String, Long> started = sent();

    String launcher = Checkout.root() + "/skerry";
    Ran job =
        hosts(
            ("run "
                    + launcher
                    + " lcls --ranks 4 --synthetic 64x256x256 --every 8 --json --out both.h5")
                .split(" "));
    assertEquals(0, job.code(), job.out() + job.err());
    assertTrue(job.out().contains("\"ranks\": 4"), job.out());
    assertTrue(job.out().contains("\"verified\": true"), job.out());
    Map<String, Long> ended = sent();

    Ran plain = skerry("lcls --synthetic 64x256x256 --every 8 --json --out one.h5".split(" "));
    assertEquals(0, plain.code(), plain.err());
    Ran verified = skerry("verify", "both.h5");
    assertEquals(0, verified.code(), verified.out() + verified.err());
    assertEquals(digest("one.h5"), digest("both.h5"));

    assertEquals(2, ended.size(), ended.toString());
    for (String host : ended.keySet()) {
      long starting = started.get(host) - before.get(host);
      long job4 = ended.get(host) - started.get(host);
      System.out.printf("%s sent over TCP: %d bytes for the job%n", host, job4);
      // Starting the processes sends a few kilobytes; the messages of the ranks are far larger.
      assertTrue(job4 > 10 * starting, "job=" + job4 + " start of processes=" + starting);
    }
  }

  private String digest(String file) throws IOException, InterruptedException {
    Ran ran = skerry("digest", file);
    assertEquals(0, ran.code(), ran.err());
    return ran.out().replace(file, "FILE");
  }

  @Test
  void running_hosts_are_not_started_again_and_stopped_hosts_are_reported() throws Exception {
    Ran again = hosts("up");
    assertEquals(1, again.code());
    assertTrue(again.err().contains("is up already"), again.err());
    assertEquals(0, hosts("down").code());
    Ran gone = hosts("run", "hostname");
    assertEquals(1, gone.code());
    assertTrue(gone.err().contains("no such host: " + pair + "-a"), gone.err());
    assertEquals(2, hosts().code());
  }
}
