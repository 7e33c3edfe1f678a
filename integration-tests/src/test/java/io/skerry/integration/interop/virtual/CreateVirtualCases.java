package io.skerry.integration.interop.virtual;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Cases in which the ranks write a source file together and create a virtual dataset over it. */
public final class CreateVirtualCases implements RankedCases {
  private static final int ROWS = 3000;

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase("a_virtual_dataset_is_created_by_all_ranks", CreateVirtualCases::created),
        new RankedCase("all_ranks_write_through_a_virtual_dataset", CreateVirtualCases::written),
        new RankedCase("different_mappings_fail_on_all_ranks", CreateVirtualCases::different));
  }

  private static VirtualLayout reversed(String file) {
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (int i = 0; i < ROWS; i++) {
      layout.map(
          Selection.at(i, 0).extent(1, 2),
          VirtualSource.of(file, "/rows").select(Selection.at(ROWS - 1 - i, 0).extent(1, 2)));
    }
    return layout.build();
  }

  private static DatasetSpec rows() {
    return DatasetSpec.of(Datatype.I32, Shape.of(ROWS, 2));
  }

  private static void created(Communicator world) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      try (H5File file = H5File.create(folder.file("rows.h5"), world)) {
        int[] values = new int[2 * ROWS];
        Arrays.setAll(values, i -> i);
        boolean first = world.rank() == 0;
        file.createDataset("rows", rows())
            .write(first ? Selection.all() : Selection.none(), first ? values : new int[0]);
      }
      try (H5File file = H5File.create(folder.file("all.h5"), world)) {
        Dataset dataset = file.createDataset("all", rows().virtual(reversed("rows.h5")));
        check(dataset, world.rank());
      }
      try (H5File file = H5File.open(folder.file("all.h5"), world)) {
        Dataset dataset = file.dataset("all");
        check(dataset, world.rank());
        Expect.that(
            dataset.virtualLayout().orElseThrow().equals(reversed("rows.h5")), "same mappings");
      }
      world.barrier();
    }
  }

  private static void check(Dataset dataset, int row) {
    int[] read = dataset.readInts(Selection.at(row, 0).extent(1, 2));
    int first = 2 * (ROWS - 1 - row);
    Expect.that(Arrays.equals(read, new int[] {first, first + 1}), Arrays.toString(read));
  }

  private static void written(Communicator world) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      VirtualLayout.Builder layout = VirtualLayout.builder();
      for (int part = 0; part < 3; part++) {
        try (H5File file = H5File.create(folder.file("part" + part + ".h5"), world)) {
          var unused =
              file.createDataset("d", DatasetSpec.of(Datatype.I32, Shape.of(12)).sparse(5));
        }
        layout.map(
            Selection.at(part, 0).extent(1, 12), VirtualSource.of("part" + part + ".h5", "/d"));
      }
      int width = 12 / world.size();
      int[] values = new int[3 * width];
      Arrays.setAll(values, i -> i / width * 12 + world.rank() * width + i % width);
      try (H5File file = H5File.create(folder.file("all.h5"), world)) {
        Dataset dataset =
            file.createDataset(
                "all", DatasetSpec.of(Datatype.I32, Shape.of(3, 12)).virtual(layout.build()));
        for (int round = 0; round < 2; round++) {
          dataset.write(Selection.at(0, world.rank() * width).extent(3, width), values);
          int[] read = dataset.readInts(Selection.all());
          int[] all = IntStream.range(0, 36).toArray();
          Expect.that(Arrays.equals(all, read), "round " + round + ": " + Arrays.toString(read));
        }
        dataset.erase(world.rank() == 0 ? Selection.at(1, 0).extent(1, 12) : Selection.none());
        Selection left = Selection.at(0, 0).stride(2, 1).count(2, 1).block(1, 12);
        Expect.that(
            dataset.defined(Selection.all()).symmetricDifference(left).isEmpty(),
            "only row 1 is undefined");
      }
      world.barrier();
    }
  }

  private static void different(Communicator world) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      try (H5File file = H5File.create(folder.file("all.h5"), world)) {
        DatasetSpec spec = rows().virtual(reversed("rows" + world.rank() % 2 + ".h5"));
        String message = "no failure";
        try {
          var unused = file.createDataset("all", spec);
        } catch (CollectiveException e) {
          message = String.valueOf(e.getMessage());
        }
        Expect.that(message.contains(ROWS + " mappings sha256="), message);
        Expect.that(file.root().links().isEmpty(), "nothing was created");
      }
      world.barrier();
    }
  }
}
