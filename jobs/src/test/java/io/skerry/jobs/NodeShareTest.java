package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.jobs.Shell.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the heap size and the number of processors of a rank that shares its node with others. */
class NodeShareTest extends FakeCheckout {
  @Test
  void a_rank_uses_its_share_of_the_slurm_allocation() throws Exception {
    environment.putAll(Map.of("PMIX_RANK", "0", "SLURM_MEM_PER_NODE", "4000"));
    environment.put("SLURM_STEP_TASKS_PER_NODE", "2,4(x2)");
    assertTrue(skerry("lcls").out().contains(" -Xmx400m -XX:+UseSerialGC "));
    environment.put("SLURM_MEM_PER_NODE", "10240");
    assertTrue(skerry("lcls").out().contains(" -Xmx1024m "));
    assertFalse(skerry("lcls").out().contains("SerialGC"), "the JVM chooses for a large heap");
    environment.put("SLURM_MEM_PER_NODE", "4000");
    environment.put("OMPI_COMM_WORLD_LOCAL_SIZE", "2");
    assertTrue(skerry("lcls").out().contains(" -Xmx800m "));
    environment.remove("SLURM_MEM_PER_NODE");
    environment.putAll(Map.of("SLURM_MEM_PER_CPU", "500", "SLURM_CPUS_ON_NODE", "4"));
    assertTrue(skerry("lcls").out().contains(" -Xmx400m "));
    environment.put("SKERRY_JAVA_OPTS", "-Xmx1g");
    assertTrue(skerry("lcls").out().matches("(?s).* -Xmx400m .*-Xmx1g .*"));
    environment.remove("SLURM_MEM_PER_CPU");
    environment.remove("OMPI_COMM_WORLD_LOCAL_SIZE");
    environment.remove("SLURM_STEP_TASKS_PER_NODE");
    environment.remove("SKERRY_JAVA_OPTS");
    assertFalse(skerry("lcls").out().contains("-Xmx"), "a rank that is alone needs no share");
  }

  @Test
  void ranks_on_one_machine_share_its_memory_and_processors() throws Exception {
    mpirun();
    int processors = Runtime.getRuntime().availableProcessors();
    String out = skerry("lcls", "--ranks", "4").out();
    long heap = Long.parseLong(out.replaceAll("(?s).* -Xmx(\\d+)m .*", "$1"));
    long machine = machineMebibytes();
    assertTrue(heap >= 64 && heap <= machine / 10, heap + " of " + machine);
    assertTrue(
        out.contains(" -XX:ActiveProcessorCount=" + Math.max(1, processors / 4) + " ")
            || !out.contains("ActiveProcessorCount"),
        out);
    environment.put("SLURM_JOB_NUM_NODES", "4");
    String spread = skerry("lcls", "--ranks", "8").out();
    long more = Long.parseLong(spread.replaceAll("(?s).* -Xmx(\\d+)m .*", "$1"));
    assertTrue(more >= 2 * heap - 2 && more <= 2 * heap + 2, more + " beside " + heap);
    if (processors > 1) {
      environment.put("SLURM_CPUS_PER_TASK", "1");
      assertTrue(skerry("lcls", "--ranks", "2").out().contains(" -XX:ActiveProcessorCount=1 "));
    }
  }

  private static long machineMebibytes() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/meminfo"))) {
      String total = lines.filter(line -> line.startsWith("MemTotal:")).findFirst().orElseThrow();
      return Long.parseLong(total.replaceAll("\\D", "")) / 1024;
    }
  }

  /** Uses a real control group, of version 1 or 2 as available. */
  @Test
  void ranks_share_the_memory_limit_of_their_control_group() throws Exception {
    mpirun();
    Path one = Path.of("/sys/fs/cgroup/memory");
    Path parent = Files.isDirectory(one) ? one : Path.of("/sys/fs/cgroup");
    Path group = parent.resolve("skerry-test-" + ProcessHandle.current().pid());
    try {
      Files.createDirectory(group);
    } catch (IOException e) {
      assumeTrue(false, "no control group can be made here, skipped: " + e);
    }
    try {
      Path limit = group.resolve(parent == one ? "memory.limit_in_bytes" : "memory.max");
      assumeTrue(Files.isWritable(limit), "control groups limit no memory here: skipped");
      Files.writeString(limit, String.valueOf(1000L << 20));
      environment.put("GROUP", group.toString());
      Ran ran =
          Shell.run(
              folder,
              environment,
              List.of("bash", "-c", "echo $$ >$GROUP/cgroup.procs; exec ./skerry lcls --ranks 2"));
      assertTrue(ran.out().contains(" -Xmx200m "), ran.toString());
    } finally {
      Files.delete(group);
    }
  }
}
