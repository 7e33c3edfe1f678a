package io.skerry.integration.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.integration.scale.StreamingJob.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamingJobTest {
  private static long messages(List<Figures> all) {
    return all.stream()
        .mapToLong(figures -> ScaleReport.total(figures.sent().values()).messages())
        .max()
        .orElseThrow();
  }

  private static long received(List<Figures> all) {
    return all.stream()
        .mapToLong(figures -> ScaleReport.total(figures.received().values()).bytes())
        .max()
        .orElseThrow();
  }

  @Test
  void every_chunk_has_one_chunk_owner_and_one_index_owner() {
    for (int framesPerChunk : new int[] {1, 4}) {
      StreamingJob job = new StreamingJob(48, 2, framesPerChunk);
      List<Figures> all = job.run().figures();
      assertEquals(48, all.size());
      long owned = all.stream().mapToLong(Figures::owned).sum();
      assertEquals(owned, all.stream().mapToLong(Figures::homed).sum());
      // A few chunks contain no spot and are not written.
      assertTrue(owned > 0.9 * job.chunks() && owned <= job.chunks(), "owned=" + owned);
      long written = all.stream().mapToLong(Figures::written).sum();
      assertTrue(framesPerChunk == 1 ? written == owned : written > owned, "written=" + written);
    }
  }

  @Test
  void messages_grow_as_the_logarithm_of_the_number_of_ranks() {
    // Each step adds a constant number of hops per exchange; the bound covers all exchanges.
    long few = messages(new StreamingJob(64, 1, 1).run().figures());
    long more = messages(new StreamingJob(256, 1, 1).run().figures());
    long many = messages(new StreamingJob(1024, 1, 1).run().figures());
    assertTrue(more - few <= 40, few + " messages at 64 ranks, " + more + " at 256");
    assertTrue(many - more <= 40, more + " messages at 256 ranks, " + many + " at 1024");
  }

  @Test
  void the_busiest_rank_receives_messages_about_a_small_part_of_all_chunks() {
    StreamingJob job = new StreamingJob(1024, 2, 1);
    StreamingJob.Result result = job.run();
    long records = result.figures().stream().mapToLong(Figures::records).max().orElseThrow();
    assertTrue(records < job.chunks() / 16, records + " records of " + job.chunks() + " chunks");
    // The HDF5 library gathers 136 bytes per chunk on every rank.
    long gathered = 136 * job.chunks();
    long received = received(result.figures());
    assertTrue(received < gathered / 16, received + " bytes received; all records: " + gathered);
  }

  @Test
  void encoding_is_balanced_over_the_ranks() {
    for (int framesPerChunk : new int[] {1, 4}) {
      List<Figures> all = new StreamingJob(256, 2, framesPerChunk).run().figures();
      double mean = all.stream().mapToLong(Figures::encoded).average().orElseThrow();
      long most = all.stream().mapToLong(Figures::encoded).max().orElseThrow();
      assertTrue(most < 1.6 * mean, "most=" + most + " mean=" + mean);
    }
  }
}
