import { useEffect, useMemo, useRef, useState } from "react";
import { Button, IconButton } from "../../design/Button";
import { Empty, Notice } from "../../design/states";
import { JobProgress } from "../../story/JobProgress";
import { usePlaces } from "../../story/places";
import { usePov } from "../../story/pov/pov";
import { SeenBy } from "../../story/pov/SeenBy";
import { useTexts } from "../../texts/language";
import { ArrangingFields } from "./ArrangingFields";
import { Controls } from "./Controls";
import { EdgeBar } from "./EdgeBar";
import styles from "./Graph.module.css";
import { GraphCanvas } from "./GraphCanvas";
import type { Graph } from "./graph";
import { Menu } from "./Menu";
import { NodePanel } from "./NodePanel";
import { Questions } from "./Questions";
import type { Stage } from "./stage";
import { TableTwin } from "./TableTwin";
import { Tray } from "./Tray";
import { texts } from "./texts";
import type { Arranging } from "./useArranging";
import { useChanges } from "./useChanges";
import { useChosen } from "./useChosen";
import { useGraphKeys } from "./useGraphKeys";
import { useKnown } from "./useKnown";
import type { useLayout } from "./useLayout";
import type { useRefresh } from "./useRefresh";
import { type Address, useSight } from "./useSight";
import { useKinds, useTypes, useWords } from "./words";

interface GraphViewProps {
  storyId: string;
  graph: Graph;
  arranging: Arranging;
  address: Address;
  layout: ReturnType<typeof useLayout>;
  refresh: ReturnType<typeof useRefresh>;
}

/** The graph with all that is around it. */
export function GraphView({ storyId, graph, arranging, address, layout, refresh }: GraphViewProps) {
  const t = useTexts(texts);
  const kinds = useKinds();
  const word = useWords(storyId);
  const types = useTypes(storyId, graph.picture);
  const places = usePlaces(storyId);
  const changes = useChanges(storyId);
  const sight = useSight(storyId, graph, changes.fresh, { ...address, least: arranging.least });
  const pov = usePov(storyId);
  const { known, unknownCount, isAbsent } = useKnown(storyId, graph, pov, address.chapter);
  const stage = useRef<Stage | null>(null);
  const [thinned, setThinned] = useState<number | null>(null);
  const [isOpen, setOpen] = useState(false);
  const chosen = useChosen({ storyId, graph, address, sight, changes, stage, word });
  const { node, edge, show, choose, tie } = chosen;
  useGraphKeys({ graph, sight, chosen, stage, address, refresh: refresh.run });

  // Whoever looks at a part wants to see all of the part, and of the whole all of it again.
  const part = `${address.focus}:${address.steps}:${arranging.layout}`;
  const seen = useRef(part);
  useEffect(() => {
    if (seen.current !== part && stage.current) stage.current.fly(stage.current.whole());
    seen.current = part;
  }, [part]);

  const counts = useMemo(() => {
    const all = new Map<string, number>(graph.picture.types.map((type) => [type, 0]));
    for (const type of graph.picture.nodes.types) {
      const name = graph.picture.types[type] as string;
      all.set(name, (all.get(name) ?? 0) + 1);
    }
    return types.filter((type) => all.has(type)).map((type) => ({ type, count: all.get(type) ?? 0 }));
  }, [graph, types]);

  const { names, ids } = graph.picture.nodes;
  const typeOf = (place: number) => kinds(graph.picture.types[graph.type[place] as number] as string);
  const said = (place: number) =>
    t.selected(names[place] as string, typeOf(place), graph.degree[place] as number);
  const isBare = graph.size === 0;
  const { totalNodes, totalEdges } = graph.picture;
  const bar = edge === null ? null : tie(edge);
  return (
    <div className={styles.graph} data-details={node !== null || undefined}>
      <IconButton
        icon={isOpen ? "close" : "filter"}
        look="plain"
        className={styles.open}
        label={t.controls}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      <Controls
        q={sight.q}
        onSearch={sight.search}
        found={sight.hitCount}
        onFound={chosen.nextFound}
        types={counts}
        hidden={sight.hidden}
        onToggle={sight.toggle}
        places={places}
        chapter={address.chapter}
        onChapter={(chapter) => address.put({ chapter: chapter === null ? null : String(chapter) }, true)}
        focus={sight.center === null ? null : (names[sight.center] as string)}
        steps={address.steps}
        canFocus={sight.center !== null || node !== null}
        onSteps={(steps) => {
          if (steps === null) address.put({ focus: null, k: null });
          else if (sight.center !== null) address.put({ k: String(steps) });
          else if (node !== null) chosen.focus(node, steps);
        }}
        tray={
          sight.unlinked.length > 0 && (
            <Tray
              graph={graph}
              unlinked={sight.unlinked}
              isSpread={sight.isSpread}
              onSpread={sight.spread}
              onShow={(id) => show(id)}
            />
          )
        }
        aside={sight.aside.size}
        onBringBack={sight.bringBack}
        view={address.view}
        onView={(view) => address.put({ view: view === "table" ? view : null })}
        onAdd={() => chosen.ask({ kind: "new", place: null })}
        isRefreshing={refresh.isRunning}
        onRefresh={refresh.run}
        isOpen={isOpen}
        seenBy={<SeenBy storyId={storyId} pov={pov} />}
        arranging={address.view === "picture" && <ArrangingFields graph={graph} arranging={arranging} />}
      />
      <div className={styles.stage}>
        <div className={styles.main}>
          {address.view === "table" ? (
            <TableTwin
              graph={graph}
              shown={sight.shown}
              hits={sight.hits}
              known={known}
              node={node}
              onChoose={(place) => choose({ kind: "node", place })}
              onMenu={(place, x, y) => chosen.openMenu({ kind: "node", place }, x, y)}
            />
          ) : (
            <>
              <GraphCanvas
                graph={graph}
                shown={sight.shown}
                hits={sight.hits}
                known={known}
                node={node}
                edge={edge}
                fresh={changes.fresh}
                word={word}
                tip={(target) =>
                  target.kind === "node"
                    ? { text: said(target.place), nodeId: graph.picture.nodes.ids[target.place] ?? null }
                    : target.kind === "edge"
                      ? { text: tie(target.place).word, nodeId: null }
                      : null
                }
                announced={node === null ? "" : said(node)}
                least={arranging.least}
                events={chosen.events}
                onDrawn={(drawn) => setThinned(drawn.thinned)}
                stage={stage}
              />
              {totalNodes > 0 && (
                <div className={styles.zoom}>
                  <IconButton icon="plus" label={t.zoomIn} onClick={() => stage.current?.zoom(1.35)} />
                  <IconButton icon="minus" label={t.zoomOut} onClick={() => stage.current?.zoom(1 / 1.35)} />
                  <IconButton icon="fit" label={t.fit} onClick={() => chosen.seeAll()} />
                </div>
              )}
            </>
          )}
          {(isBare || sight.nodeCount === 0) && (
            <div className={styles.nothing}>
              {isBare && totalNodes === 0 ? (
                <Empty
                  icon="graph"
                  title={t.none}
                  actions={
                    <Button
                      look="primary"
                      icon="plus"
                      onClick={() => chosen.ask({ kind: "new", place: null })}
                    >
                      {t.addNode}
                    </Button>
                  }
                >
                  {t.noneNext}
                </Empty>
              ) : (
                <Empty
                  icon="filter"
                  title={t.noneFits}
                  actions={
                    <Button
                      onClick={() => {
                        sight.showAll();
                        address.put({ focus: null, k: null, chapter: null });
                      }}
                    >
                      {t.showAll}
                    </Button>
                  }
                />
              )}
            </div>
          )}
          <div className={styles.over}>
            {layout.jobId && <JobProgress jobId={layout.jobId} label={t.placing} onEnd={layout.onEnd} />}
            {layout.isStopped && (
              <Notice
                actions={
                  <Button size="small" onClick={() => void layout.place()}>
                    {t.placeNow}
                  </Button>
                }
              >
                {t.placingStopped}
              </Notice>
            )}
          </div>
        </div>
        <footer className={styles.status}>
          {bar && edge !== null && (
            <EdgeBar
              {...bar}
              onEdit={() => chosen.ask({ kind: "editEdge", edge })}
              onDelete={() => chosen.ask({ kind: "deleteEdge", edge })}
              onClose={() => choose(null)}
            />
          )}
          {totalNodes > 0 && <p>{t.showing(sight.nodeCount, totalNodes, sight.edgeCount, totalEdges)}</p>}
          {isAbsent && <p role="status">{t.absentThen(pov.name)}</p>}
          {known && <p role="status">{t.unknownTo(pov.name, unknownCount)}</p>}
          {address.view === "picture" && thinned !== null && <p>{t.thinned(thinned)}</p>}
        </footer>
      </div>
      {node !== null && (
        <NodePanel
          storyId={storyId}
          graph={graph}
          node={node}
          types={types}
          changes={changes}
          word={word}
          onShow={show}
          onEdge={(place) => choose({ kind: "edge", place })}
          onRelate={() => chosen.ask({ kind: "relate", source: node, target: null })}
          onLorebook={() => void chosen.openLorebook(node)}
          onPage={() => chosen.openPage(ids[node] as string)}
          onDelete={() => chosen.ask({ kind: "deleteNode", node })}
          onClose={() => choose(null)}
        />
      )}
      {chosen.menu && <Menu {...chosen.menu} onClose={chosen.closeMenu} />}
      {chosen.question && (
        <Questions storyId={storyId} graph={graph} types={types} changes={changes} chosen={chosen} />
      )}
    </div>
  );
}
