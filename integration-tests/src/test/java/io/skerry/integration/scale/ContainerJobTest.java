package io.skerry.integration.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.integration.scale.ContainerJob.Figures;
import io.skerry.integration.scale.ContainerJob.Served;
import io.skerry.integration.scale.ContainerJob.Step;
import io.skerry.iod.shipper.option.Placement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ContainerJobTest {
  private static long sent(Figures figures, Step step) {
    return figures.sent().getOrDefault(step, Traffic.NONE).messages();
  }

  private static long most(ContainerJob.Loads loads, Step step) {
    return loads.computing().stream().mapToLong(figures -> sent(figures, step)).max().orElseThrow();
  }

  @Test
  void each_tile_has_one_owner_and_is_read_by_the_ranks_that_wrote_it() {
    for (int framesPerTile : new int[] {1, 4}) {
      ContainerJob job = new ContainerJob(64, 2, framesPerTile);
      List<Figures> computing = job.run().computing();
      assertEquals(job.clients(), computing.size());
      long owned = computing.stream().mapToLong(Figures::owned).sum();
      long read = computing.stream().mapToLong(Figures::read).sum();
      assertTrue(framesPerTile == 1 ? read == owned : read > owned, owned + " " + read);
    }
  }

  @Test
  void calls_are_in_proportion_to_the_own_tiles() {
    for (int ranks : new int[] {64, 1024}) {
      for (int frames : new int[] {1, 2, 8}) {
        ContainerJob.Loads loads = new ContainerJob(ranks, frames, 1).run();
        for (Figures figures : loads.computing()) {
          // A batch and a call that makes it visible for each tile, at most.
          assertTrue(sent(figures, Step.TILES) <= 2 * figures.owned() + 1);
          assertEquals(figures.read(), sent(figures, Step.READ));
        }
      }
    }
  }

  @Test
  void no_compute_rank_sends_a_message_to_each_other_rank() {
    ContainerJob.Loads few = new ContainerJob(64, 1, 4).run();
    ContainerJob.Loads many = new ContainerJob(1024, 1, 4).run();
    for (Step step : List.of(Step.AGREE, Step.PIECES)) {
      long before = most(few, step);
      long after = most(many, step);
      // Four doublings; each agreement and each exchange has two messages more for each of them.
      assertTrue(after - before <= 4 * 2 * 12, step + ": " + before + " and " + after);
      assertTrue(after < 1024 / 4, step + ": " + after);
    }
  }

  @Test
  void io_ranks_share_the_calls_evenly() {
    ContainerJob job = new ContainerJob(1024, 2, 1);
    List<Served> serving = job.run().serving();
    assertEquals(32, serving.size());
    double mean = serving.stream().mapToLong(s -> s.received().messages()).average().orElseThrow();
    long most = serving.stream().mapToLong(s -> s.received().messages()).max().orElseThrow();
    assertTrue(most < 1.5 * mean, "most=" + most + " mean=" + mean);
  }

  @Test
  void a_commit_needs_a_fixed_number_of_messages_for_each_io_rank() {
    for (int ranks : new int[] {64, 1024, 16_384}) {
      int servers = ranks / ContainerJob.RANKS_PER_IO_RANK;
      List<IoRankLoad> loads = Stream.generate(IoRankLoad::new).limit(servers).toList();
      IoRankLoad leading =
          CommitTraffic.run(new Placement(ranks, servers, Placement.Kind.EVERY_KTH), loads);
      long messages = leading.sent().messages() + leading.received().messages();
      // Prepare and persist with their answers, and purge; three requests with their replies.
      assertTrue(messages <= 5L * servers + 6, messages + " messages");
    }
  }
}
