package io.skerry.iod.shipper;

/** One compute rank and one I/O rank. */
class RemoteConformanceTwoRanksTest extends RemoteConformance {
  @Override
  int ranks() {
    return 2;
  }

  @Override
  ShipperOptions options() {
    return ShipperOptions.DEFAULT.with(1, Placement.Kind.LAST);
  }
}
