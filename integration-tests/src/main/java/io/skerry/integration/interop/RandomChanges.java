package io.skerry.integration.interop;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.datatype.Datatype;
import io.skerry.integration.random.FileForm;
import io.skerry.integration.random.PickedElements;
import io.skerry.integration.random.RandomChoice;
import io.skerry.integration.random.SelectionGenerator;
import io.skerry.integration.random.SpecGenerator;
import io.skerry.integration.random.TypeGenerator;
import io.skerry.integration.random.ValueGenerator;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Applies random changes to a file that other programs have already changed. Objects below {@code
 * /targets} are kept. Every rank draws the same changes, and writes its own part of the values.
 */
public final class RandomChanges {
  private final H5File file;
  private final FileForm form;
  private final RandomChoice draw;
  private final ValueGenerator values;
  private final int rank;
  private final int ranks;
  private String step = "beginning";

  private RandomChanges(long seed, FileForm form, H5File file, Communicator world) {
    this.file = file;
    this.form = form;
    this.draw = new RandomChoice(seed);
    this.values = new ValueGenerator(draw, List.of());
    this.rank = world.rank();
    this.ranks = world.size();
  }

  /**
   * Changes a file.
   *
   * @throws IllegalStateException if a step fails; the message names the step
   */
  public static void change(long seed, FileForm form, Path path) {
    int ranks = 1 + (int) Math.floorMod(seed, 2L);
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.openForWriting(path, world, form.options())) {
            new RandomChanges(seed, form, file, world).run();
          }
        });
  }

  private void run() {
    try {
      for (int i = draw.between(4, 14); i > 0; i--) {
        next();
      }
    } catch (RuntimeException e) {
      file.discard();
      throw new IllegalStateException("step=" + step, e);
    }
  }

  private void next() {
    Set<Long> seen = new HashSet<>();
    List<Group> groups = new ArrayList<>();
    List<Dataset> datasets = new ArrayList<>();
    List<String> links = new ArrayList<>();
    collect(file.root(), seen, groups, datasets, links);
    Group group = draw.pick(groups);
    switch (draw.below(9)) {
      case 0 -> {
        step = "group in " + group.path();
        Group unused = group.createGroup(draw.name("again g"));
      }
      case 1 -> create(group);
      case 2, 3 ->
          datasets.stream()
              .skip(draw.below(datasets.size() + 1))
              .findFirst()
              .ifPresent(this::write);
      case 4 ->
          datasets.stream()
              .filter(d -> d.shape().isExtendible())
              .findFirst()
              .ifPresent(this::resize);
      case 5 -> {
        if (!links.isEmpty()) {
          String link = draw.pick(links);
          step = "unlink " + link;
          file.unlink(link);
        }
      }
      case 6 -> {
        if (!links.isEmpty()) {
          String link = draw.pick(links);
          String to = link.substring(0, link.lastIndexOf('/') + 1) + draw.name("again moved");
          step = "move " + link + " to " + to;
          file.move(link, to);
        }
      }
      default -> attributes(draw.chance(0.5) || datasets.isEmpty() ? group : draw.pick(datasets));
    }
  }

  private void collect(
      Group group, Set<Long> seen, List<Group> groups, List<Dataset> datasets, List<String> links) {
    groups.add(group);
    seen.add(group.address());
    for (Group.Link link : group.links()) {
      if (group.path().equals("/") && link.name().equals("targets")) {
        continue;
      }
      links.add(group.childPath(link.name()));
      if (link instanceof Group.Hard hard && seen.add(hard.address())) {
        H5Object child = group.child(hard);
        if (child instanceof Group below) {
          collect(below, seen, groups, datasets, links);
        } else if (child instanceof Dataset dataset) {
          datasets.add(dataset);
        }
      }
    }
  }

  private void create(Group group) {
    Datatype type = new TypeGenerator(draw, form).any();
    DatasetSpec spec = new SpecGenerator(draw, false).any(DatasetSpec.of(type, Shape.scalar()));
    step = "dataset in " + group.path() + " " + spec;
    write(group.createDataset(draw.name("again d"), spec));
  }

  private void write(Dataset dataset) {
    step = "write " + dataset.path() + " " + dataset.datatype() + " " + dataset.storage();
    if (dataset.isNull()) {
      return;
    }
    long[] extent = dataset.shape().extent();
    SelectionGenerator picker = new SelectionGenerator(draw.random());
    List<PickedElements> picks = new ArrayList<>();
    List<List<Value>> parts = new ArrayList<>();
    for (int r = 0; r < ranks; r++) {
      PickedElements pick =
          extent.length == 0 ? SelectionGenerator.all(extent) : picker.any(extent);
      picks.add(pick);
      parts.add(values.values(dataset.datatype(), pick.elements().length));
    }
    dataset.writeValues(picks.get(rank).selection(), parts.get(rank));
  }

  private void resize(Dataset dataset) {
    Shape shape = dataset.shape();
    long[] extent = shape.extent();
    for (int d = 0; d < extent.length; d++) {
      long most = shape.maximum(d) == Shape.UNLIMITED ? extent[d] + 9 : shape.maximum(d);
      extent[d] = draw.below((int) most + 1);
    }
    step = "resize " + dataset.path() + " " + shape + " to " + Shape.of(extent);
    dataset.extendTo(extent);
    write(dataset);
  }

  private void attributes(H5Object on) {
    int count = draw.pick(List.of(1, 1, 3, 10));
    for (int i = 0; i < count; i++) {
      List<Attribute> there = on.attributes();
      boolean deletes = !there.isEmpty() && draw.chance(0.3);
      boolean replaces = !there.isEmpty() && draw.chance(0.3);
      String name = deletes || replaces ? draw.pick(there).name() : draw.name("again a");
      Datatype type = new TypeGenerator(draw, form).any();
      Shape shape = draw.pick(List.of(Shape.scalar(), Shape.of(4)));
      List<Value> drawn = values.values(type, shape.elements());
      step = (deletes ? "delete " : "attribute ") + on.path() + "@" + name + " " + type;
      switch (on) {
        case Group group when deletes -> group.deleteAttribute(name);
        case Group group -> group.setAttribute(name, type, shape, drawn);
        case Dataset dataset when deletes -> dataset.deleteAttribute(name);
        case Dataset dataset -> dataset.setAttribute(name, type, shape, drawn);
        default -> throw new IllegalStateException("no attributes here: " + on.path());
      }
    }
  }
}
