package io.skerry.integration.interop;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.LinkOrder;
import io.skerry.datatype.Datatype;
import io.skerry.integration.interop.ExpectedObject.ExpectedDataset;
import io.skerry.integration.interop.ExpectedObject.ExpectedGroup;
import io.skerry.integration.interop.ExpectedObject.ExpectedType;
import io.skerry.integration.random.FileForm;
import io.skerry.integration.random.FillBytes;
import io.skerry.integration.random.PickedElements;
import io.skerry.integration.random.RandomChoice;
import io.skerry.integration.random.SelectionGenerator;
import io.skerry.integration.random.SpecGenerator;
import io.skerry.integration.random.TypeGenerator;
import io.skerry.integration.random.ValueGenerator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Generates a plan: each step is added to the plan and immediately applied to the expected tree.
 */
final class PlanGenerator {
  private final long seed;
  private final FileForm form;
  private final RandomChoice draw;
  private final TypeGenerator types;
  private final SpecGenerator specs;
  private final ExpectedTree tree = new ExpectedTree();
  private final List<WritingPlan.Session> sessions = new ArrayList<>();
  private final boolean foreignFilters;
  private final AttributeSteps onAttributes = new AttributeSteps(this::add);
  private ValueGenerator values;
  private List<WritingStep> steps = new ArrayList<>();
  private int ranks = 1;

  PlanGenerator(long seed, FileForm form) {
    this.seed = seed;
    this.form = form;
    this.draw = new RandomChoice(seed);
    this.types = new TypeGenerator(draw, form);
    this.foreignFilters = draw.chance(0.15);
    this.specs = new SpecGenerator(draw, foreignFilters);
    this.values = new ValueGenerator(draw, List.of());
  }

  WritingPlan plan() {
    int count = draw.between(1, 3);
    for (int session = 0; session < count; session++) {
      steps = new ArrayList<>();
      ranks = draw.pick(List.of(1, 1, 2, 3));
      if (session == 0 && draw.chance(0.8)) {
        targets();
      }
      for (int i = draw.between(5, 22); i > 0; i--) {
        step();
      }
      sessions.add(new WritingPlan.Session(ranks, steps));
    }
    return new WritingPlan(seed, form, sessions, new Expectation(tree.root()), foreignFilters);
  }

  private void add(String what, WritingStep.Action action) {
    steps.add(new WritingStep(what, action));
  }

  /** Creates the targets of references, which are never moved, removed or linked again. */
  private void targets() {
    group(ExpectedTree.TARGETS, LinkOrder.UNTRACKED);
    group(ExpectedTree.TARGETS + "/group", LinkOrder.UNTRACKED);
    String row = ExpectedTree.TARGETS + "/row";
    dataset(row, DatasetSpec.of(Datatype.I32, Shape.of(20)), Optional.empty());
    write(row, tree.dataset(row));
    values =
        new ValueGenerator(
            draw,
            List.of(
                new ValueGenerator.RefTarget(row, 20),
                new ValueGenerator.RefTarget(ExpectedTree.TARGETS, 0),
                new ValueGenerator.RefTarget(ExpectedTree.TARGETS + "/group", 0)));
  }

  private void step() {
    switch (draw.below(20)) {
      case 0, 1 -> group(fresh("g"), order());
      case 2, 3, 4, 5, 6 -> newDataset();
      case 7 -> committed();
      case 8, 9, 10 -> attributes();
      case 11 -> changedAttribute();
      case 12 -> rewritten();
      case 13 -> resized();
      case 14 -> softOrExternal();
      case 15 -> hard();
      case 16 -> unlinked();
      case 17 -> moved();
      case 18 -> many();
      default -> {
        if (draw.chance(0.5)) {
          add("flush", (file, _) -> file.flush());
        } else {
          rewritten();
        }
      }
    }
  }

  /** Returns an unused path, sometimes in a group that does not exist yet. */
  private String fresh(String prefix) {
    String group = draw.pick(tree.groups()).path();
    String between = draw.chance(0.1) ? ExpectedTree.child(group, draw.name("made")) : group;
    return ExpectedTree.child(between, draw.name(prefix));
  }

  private LinkOrder order() {
    return draw.chance(0.3) ? LinkOrder.TRACKED : LinkOrder.UNTRACKED;
  }

  private void group(String path, LinkOrder order) {
    tree.put(path, new ExpectedObject.Hard(new ExpectedGroup()));
    if (order == LinkOrder.TRACKED) {
      add("group " + path, (file, _) -> use(file.createGroup(path, order)));
    } else {
      add("group " + path, (file, _) -> use(file.createGroup(path)));
    }
  }

  private void newDataset() {
    List<ExpectedTree.Found> committed = tree.types();
    boolean shares = !committed.isEmpty() && draw.chance(0.5);
    if (shares) {
      ExpectedTree.Found found = draw.pick(committed);
      Datatype type = ((ExpectedType) found.object()).type;
      // The generator may choose another type; the new dataset then does not use the committed
      // type.
      placed(specs.any(SpecGenerator.shared(type, found.path())));
    } else {
      Datatype type = draw.chance(0.5) ? types.number() : types.any();
      placed(specs.any(DatasetSpec.of(type, Shape.scalar())));
    }
  }

  private void placed(DatasetSpec plain) {
    Datatype type = plain.datatype();
    DatasetSpec spec = plain;
    Optional<Value> fill = Optional.empty();
    if (FillBytes.fits(type) && draw.chance(0.3)) {
      Value value = values.value(type);
      fill = Optional.of(value);
      spec = plain.fillValue(FillBytes.of(type, value));
    }
    String path = fresh("d");
    dataset(path, spec, fill);
    if (!draw.chance(0.1)) {
      write(path, tree.dataset(path));
    }
  }

  private void dataset(String path, DatasetSpec spec, Optional<Value> fill) {
    boolean isNull = spec.storage() == DatasetSpec.Storage.NULL;
    tree.put(
        path,
        new ExpectedObject.Hard(new ExpectedDataset(spec.datatype(), spec.shape(), fill, isNull)));
    add("dataset " + path + " " + spec, (file, _) -> use(file.createDataset(path, spec)));
  }

  private void write(String path, ExpectedDataset dataset) {
    if (dataset.isNull) {
      return;
    }
    long[] extent = dataset.shape().extent();
    SelectionGenerator picker = new SelectionGenerator(draw.random());
    boolean everything = draw.chance(0.4);
    List<PickedElements> picks = new ArrayList<>();
    List<List<Value>> parts = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      boolean scalar = extent.length == 0;
      PickedElements pick =
          scalar || everything && rank == 0 && dataset.shape().elements() > 0
              ? SelectionGenerator.all(extent)
              : picker.any(extent);
      picks.add(pick);
      parts.add(values.values(dataset.type, pick.elements().length));
      dataset.write(pick, parts.getLast());
    }
    add(
        "write " + path + " " + picks.stream().map(PickedElements::selection).toList(),
        (file, rank) -> {
          Dataset to = file.dataset(path);
          Selection selection = picks.get(rank).selection();
          to.writeValues(selection, ValueGenerator.resolved(file, parts.get(rank)));
        });
  }

  private void rewritten() {
    List<ExpectedTree.Found> all = tree.datasets();
    if (!all.isEmpty()) {
      ExpectedTree.Found found = draw.pick(all);
      write(found.path(), (ExpectedDataset) found.object());
    }
  }

  private void resized() {
    List<ExpectedTree.Found> all =
        tree.datasets().stream()
            .filter(f -> ((ExpectedDataset) f.object()).shape().isExtendible())
            .toList();
    if (all.isEmpty()) {
      newDataset();
      return;
    }
    ExpectedTree.Found found = draw.pick(all);
    ExpectedDataset dataset = (ExpectedDataset) found.object();
    Shape shape = dataset.shape();
    long[] extent = shape.extent();
    for (int d = 0; d < extent.length; d++) {
      long most = shape.maximum(d) == Shape.UNLIMITED ? extent[d] + 9 : shape.maximum(d);
      extent[d] = draw.chance(0.3) ? extent[d] : draw.below((int) most + 1);
    }
    dataset.resize(extent);
    add(
        "resize " + found.path() + " " + dataset.shape(),
        (file, _) -> file.dataset(found.path()).extendTo(extent));
    if (draw.chance(0.6)) {
      write(found.path(), dataset);
    }
  }

  private void committed() {
    String path = fresh("t");
    Datatype type = draw.chance(0.4) ? types.nested(0) : types.any();
    tree.put(path, new ExpectedObject.Hard(new ExpectedType(type)));
    add("datatype " + path + " " + type, (file, _) -> use(file.createDatatype(path, type)));
  }

  private void softOrExternal() {
    String path = fresh("l");
    String target = draw.chance(0.5) ? draw.pick(tree.all()).path() : "/no where/" + values.word();
    if (draw.chance(0.6)) {
      tree.put(path, new ExpectedObject.Soft(target));
      add("soft " + path + " " + target, (file, _) -> file.createSoftLink(path, target));
    } else {
      String other = "other" + draw.below(3) + ".h5";
      tree.put(path, new ExpectedObject.External(other, target));
      add("external " + path, (file, _) -> file.createExternalLink(path, other, target));
    }
  }

  /**
   * Adds a hard link to a random object, but never to the root group. A link to an ancestor group
   * creates a cycle.
   */
  private void hard() {
    ExpectedTree.Found target = draw.pick(tree.all());
    if (target.path().equals("/")) {
      // The path of the root group is not a link.
      return;
    }
    String path = fresh("h");
    tree.put(path, new ExpectedObject.Hard(target.object()));
    add(
        "hard " + path + " " + target.path(),
        (file, _) -> file.createHardLink(path, target.path()));
  }

  private void unlinked() {
    tree.anyLink(draw)
        .ifPresent(path -> {
          tree.remove(path);
          add("unlink " + path, (file, _) -> file.unlink(path));
        });
  }

  private void moved() {
    Optional<String> from = tree.anyLink(draw);
    if (from.isEmpty()) {
      return;
    }
    ExpectedTree.Found into = draw.pick(tree.groups());
    if (tree.leadsTo(from.get(), into.object())) {
      return;
    }
    String to = ExpectedTree.child(into.path(), draw.name("moved"));
    tree.move(from.get(), to);
    add("move " + from.get() + " to " + to, (file, _) -> file.move(from.get(), to));
  }

  /**
   * Adds many links to a group, often more than an object header holds, and removes none, some or
   * all of them.
   */
  private void many() {
    String group = draw.chance(0.3) ? draw.pick(tree.groups()).path() : fresh("many");
    if (!tree.has(group)) {
      group(group, order());
    }
    int count = draw.pick(List.of(7, 9, 20, 60, 150));
    List<String> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String path = ExpectedTree.child(group, draw.name("n"));
      made.add(path);
      if (draw.chance(0.7)) {
        tree.put(path, new ExpectedObject.Soft("/" + i));
        add("soft " + path, (file, _) -> file.createSoftLink(path, "/" + made.indexOf(path)));
      } else {
        group(path, LinkOrder.UNTRACKED);
      }
    }
    double share = draw.pick(List.of(0.0, 0.3, 0.9, 1.0));
    for (String path : made) {
      if (draw.chance(share)) {
        tree.remove(path);
        add("unlink " + path, (file, _) -> file.unlink(path));
      }
    }
  }

  private void attributes() {
    ExpectedTree.Found on = draw.pick(tree.bearers());
    int count = draw.pick(List.of(1, 1, 2, 5, 12, 30));
    for (int i = 0; i < count; i++) {
      attribute(on, draw.name("a"));
    }
  }

  private void attribute(ExpectedTree.Found on, String name) {
    Datatype type = draw.chance(0.5) ? types.number() : types.any();
    Shape shape =
        draw.pick(
            List.of(Shape.scalar(), Shape.scalar(), Shape.of(1), Shape.of(3), Shape.of(2, 3)));
    if (draw.chance(0.05)) {
      shape = Shape.of(0);
    } else if (draw.chance(0.03) && form.hasLargeAttributes()) {
      type = Datatype.F64;
      shape = Shape.of(draw.pick(List.of(1000, 8180, 8190, 9000)));
    }
    if (draw.chance(0.05)) {
      onAttributes.empty(on, name, type);
      return;
    }
    List<Value> content = values.values(type, shape.elements());
    onAttributes.set(on, name, type, shape, content);
  }

  private void changedAttribute() {
    List<ExpectedTree.Found> all =
        tree.bearers().stream().filter(f -> !f.object().attributes.isEmpty()).toList();
    if (all.isEmpty()) {
      attributes();
      return;
    }
    ExpectedTree.Found on = draw.pick(all);
    List<String> names = List.copyOf(on.object().attributes.keySet());
    for (int i = draw.between(1, names.size()); i > 0; i--) {
      String name = draw.pick(names);
      if (!on.object().attributes.containsKey(name)) {
        continue;
      }
      switch (draw.below(3)) {
        case 0 -> onAttributes.delete(on, name);
        case 1 -> onAttributes.rename(on, name, draw.name("r"));
        default -> attribute(on, name);
      }
    }
  }

  private static void use(Object made) {
    if (made instanceof Group group && group.path().isEmpty()) {
      throw new IllegalStateException("a group without a path");
    }
  }
}
