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

/** The ranks write a source file together and create a virtual dataset over it. */
public final class CreateVirtualCases implements RankedCases {
  private static final int ROWS = 3000;

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase("a_virtual_dataset_is_created_by_all_ranks", CreateVirtualCases::created),
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
        int[] all = dataset.readInts(Selection.all());
        for (int i = 0; i < all.length; i++) {
          int value = 2 * (ROWS - 1 - i / 2) + i % 2;
          Expect.that(all[i] == value, "element " + i + " expected " + value + " actual " + all[i]);
        }
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
